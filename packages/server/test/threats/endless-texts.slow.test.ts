import { afterAll, expect, test } from "bun:test";
import { sessionPaths } from "@holdfast/api/session/session-paths";
import { addPerson, cookieName, openPlaneForPeople, signIn } from "../access/people";
import { lists, madeUpPath, writings } from "../conformance/declared";
import { type Answered, type Ask, unitHeaderName } from "../harness";
import { size } from "../runs";
import { type FilledBody, textsOf } from "./body-texts";

const plane = await openPlaneForPeople({ trusted_proxies: "10.0.0.0/8" });
afterAll(plane.close);
const { token } = await plane.serviceToken("owner");
const address = "ada@example.org";
const userId = await addPerson(plane, { email: address, roles: [{ role: "owner" }] });
const session = await signIn(plane, address);
const own = await plane.personalToken(userId);

/** Marks in an order that takes a time which grows with the square of their number to put right. */
const heap = (length: number) => `a${"\u0301".repeat(length / 2)}${"\u0316".repeat(length / 2)}`;
/** Nearly fills a body of 1 MiB, with room for its other fields: each mark is two bytes. */
const largestHeap = 523_000;

/** Minimum duration of a blocked process that counts as an attack, in milliseconds of its own work. A heap of 40,000 took 9 seconds. */
const shortest = size({ default: 4_000, long: 1_000 });

/** Time that the process has worked on something, in milliseconds, whatever else the machine has to do. */
async function workOf(act: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Sends a body with a heap in it: a moderate one first, so that a fault shows in seconds and not in an hour. */
async function expectQuickRefusal(path: string, { field, longest, fill }: FilledBody, ask: Ask): Promise<void> {
  // A log may be longer than what is moderate.
  for (const length of [Math.max(40_000, longest), largestHeap]) {
    const body = fill(heap(length));
    let answered: Refused = { status: 0, errors: [] };
    const work = await workOf(async () => {
      answered = refusalOf(await plane.ask(path, { ...ask, body }));
    });
    expect(work).toBeLessThan(shortest);
    expect(answered.status).toBe(422);
    const messages = answered.errors.map(({ error_message }) => error_message).join("\n");
    expect(messages).toContain(`The field "${field.replace(/^reports\.0\.body\.|^monitors\.0\./, "")}" has to be `);
  }
}

interface Refused {
  status: number;
  errors: { error_message: string }[];
}

/** Refusal of the request, or the one report of a batch, each of which is answered by itself. */
function refusalOf({ status, body }: Answered): Refused {
  const [result] = body.results ?? [{ status, ...body }];
  return result;
}

const itemPaths: Record<string, string> = {
  "update-user": `/users/${userId}`,
  "update-api-token": `/api-tokens/${own.id}`,
  "rotate-api-token": `/api-tokens/${own.id}/rotate`,
};

const operationTexts = writings.flatMap(({ name, operation, accept }) =>
  (operation.body ? textsOf(operation.body) : []).map(
    (filled) => [`${name} ${filled.field}`, operation, accept, filled] as const,
  ),
);

test.each(operationTexts)("T37: an endless text is refused at once: %s", async (_name, operation, accept, filled) => {
  const path = itemPaths[operation.id] ?? madeUpPath(operation);
  await expectQuickRefusal(path, filled, { method: operation.method.toUpperCase(), token, accept });
});

const sessionTexts = sessionPaths.flatMap((path) =>
  (path.body ? textsOf(path.body) : []).map((filled) => [`${path.id} ${filled.field}`, path, filled] as const),
);

test.each(sessionTexts)("T37: an endless text is refused at once: %s", async (_name, declared, filled) => {
  const { method, path, needsSession } = declared;
  const headers = { Cookie: `${cookieName}=${session.cookie}`, "X-CSRF-Token": session.csrf };
  await expectQuickRefusal(path, filled, { method: method.toUpperCase(), headers: needsSession ? headers : {} });
});

test("T37: a password that is too long says nothing about the account", async () => {
  const answers = async (email: string) =>
    Promise.all(
      [2048, 2049].map(async (length) => {
        const body = { email, password: "x".repeat(length) };
        const { status, body: answered } = await plane.ask("/session", { method: "POST", body, peer: "192.0.2.1" });
        return [status, answered.errors];
      }),
    );
  const expected = [
    [401, [{ error_code: 40108, error_message: expect.stringContaining("the password") }]],
    [
      422,
      [
        {
          error_code: 42201,
          error_message: 'The field "password" has to be at most 1024 bytes long.',
          field: "/password",
        },
      ],
    ],
  ];
  expect(await answers(address)).toEqual(expected);
  expect(await answers("eve@example.org")).toEqual(expected);
});

test("T37: every path that takes a body is tried", () => {
  const tried = [...operationTexts.map(([, { id }]) => id), ...sessionTexts.map(([, { id }]) => id)];
  const taking = [...writings.map(({ operation }) => operation), ...sessionPaths]
    .filter(({ body }) => body)
    // It takes a number alone.
    .filter(({ id }) => id !== "rotate-monitor-url");
  expect(new Set(tried)).toEqual(new Set(taking.map(({ id }) => id)));
});

/** An address is at most 32 KiB, and each mark is six characters of it. */
const inAddress = encodeURIComponent(heap(5_200));
const parameters = lists.flatMap(({ name, operation, accept }) =>
  [
    "limit",
    "start",
    "cursor",
    "filter",
    "unknown",
    ...Object.keys(operation.filters).map((field) => `filter ${field}`),
  ].map((parameter) => [`${name} ${parameter}`, operation.path, accept, parameter] as const),
);

function queryOf(parameter: string): string {
  const [name, field] = parameter.split(" ");
  if (field === undefined) return `${name}=${inAddress}`;
  // A filter is at most 8 KiB.
  return `${name}=${encodeURIComponent(JSON.stringify({ [field]: heap(4_000) }))}`;
}

test.each(parameters)("T37: an endless parameter is answered at once: %s", async (_name, path, accept, parameter) => {
  expect(await workOf(() => plane.ask(`${path}?${queryOf(parameter)}`, { token, accept }))).toBeLessThan(shortest);
});

const headers: [name: string, value: (length: number) => string][] = [
  ["Accept", (n) => ",*/*".repeat(n / 4)],
  ["Authorization", (n) => `Bearer ${"a.".repeat(n / 2)}`],
  ["Cookie", (n) => ` ${cookieName}=x;`.repeat(n / 20)],
  ["Cookie", (n) => `${cookieName}=${"x".repeat(n)}`],
  ["Content-Type", (n) => `application/api.${"+json".repeat(n / 5)} x`],
  ["Content-Type", (n) => `application/json${" ".repeat(n)}x`],
  ["Host", (n) => "a.".repeat(n / 2)],
  ["Idempotency-Key", (n) => "k".repeat(n)],
  ["If-Match", (n) => 'W/"a",'.repeat(n / 6)],
  ["If-None-Match", (n) => 'W/"a",'.repeat(n / 6)],
  ["Origin", (n) => "http://".repeat(n / 7)],
  ["Sec-Fetch-Site", (n) => "none,".repeat(n / 5)],
  ["User-Agent", (n) => "u".repeat(n)],
  ["X-CSRF-Token", (n) => "c".repeat(n)],
  ["X-Forwarded-For", (n) => "10.0.0.1,".repeat(n / 9)],
  [unitHeaderName, (n) => "0-".repeat(n / 2)],
];

// Larger blocks are cut off before a request is made of them; those above 32 KiB are refused, but not before some steps.
test.each(headers)("T37: an endless header is answered at once: %s", async (name, value) => {
  const asks = [
    { token },
    { headers: { Cookie: `${cookieName}=${session.cookie}`, "X-CSRF-Token": session.csrf } },
    {},
  ];
  for (const length of [32_000, 250_000]) {
    for (const { headers: sent = {}, ...ask } of asks) {
      for (const method of ["GET", "POST"]) {
        const headers = { ...sent, [name]: value(length) };
        const body = method === "POST" ? { body: { name: "x" } } : {};
        const work = await workOf(() => plane.ask("/roles", { ...ask, method, headers, peer: "10.0.0.9", ...body }));
        expect(work).toBeLessThan(shortest);
      }
    }
  }
});

test.each([
  ["long", "/users/", "a".repeat(30_000), 404],
  ["full of marks", "/users/", inAddress, 404],
  ["longer than an address", "/tasks/", "a".repeat(250_000), 414],
])("T37: an id in a path that is %s is answered at once", async (_what, path, id, status) => {
  let answered = 0;
  const work = await workOf(async () => {
    answered = (await plane.ask(`${path}${id}`, { token })).status;
  });
  expect([work < shortest, answered]).toEqual([true, status]);
});
