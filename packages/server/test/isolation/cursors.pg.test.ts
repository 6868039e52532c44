import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { makeFolder, openPlane, type Plane, root, walk } from "../harness";
import { runs } from "../runs";

let plane: Plane;
let mine: string;
let sibling: string;
let token: string;

beforeAll(async () => {
  plane = await openPlane();
  mine = await plane.addUnit("Mine");
  sibling = await plane.addUnit("Sibling");
  for (const unitId of [mine, sibling]) {
    await plane.addTasks(Array.from({ length: 9 }, () => ({ organizational_unit_id: unitId })));
    for (let index = 0; index < 9; index++) await plane.addUser({ roles: [{ role: "viewer", unitId }] });
  }
  token = (await plane.serviceToken("viewer", root)).token;
});
afterAll(() => plane.close());

const cursorInvalid = {
  errors: [
    {
      error_code: 40009,
      error_message:
        "This cursor was altered, or made for another filter, sort, limit, version or organizational unit. Take links as they are, or start over with start=1.",
      field: "cursor",
    },
  ],
};

/** The link to the second page of a list of a unit. */
async function nextOf(path: string, unit: string, accept = "*/*"): Promise<string> {
  const page = await plane.ask(path, { token, unit, accept });
  return page.body._links.next.href;
}

function cursorOf(href: string): string {
  return new URL(href, "http://localhost").searchParams.get("cursor") ?? "";
}

for (const list of ["/tasks?limit=2", "/users?limit=2"]) {
  test(`T11 a cursor of ${list} with any byte flipped, cut off or added is refused`, async () => {
    const href = await nextOf(list, mine);
    const cursor = cursorOf(href);
    const bytes = Buffer.from(cursor, "base64url");
    const altered = [
      ...bytes.keys().flatMap((at) =>
        [1, 0x80].map((bit) => {
          const copy = Buffer.from(bytes);
          copy.writeUInt8(copy.readUInt8(at) ^ bit, at);
          return copy.toString("base64url");
        }),
      ),
      ...[...cursor].keys().map((at) => cursor.slice(0, at)),
      `${cursor}A`,
      `${cursor}=`,
      ` ${cursor}`,
      cursor.toUpperCase(),
    ].filter((text) => text !== "");
    for (const text of altered) {
      const answer = await plane.ask(`${list}&start=2&cursor=${encodeURIComponent(text)}`, { token, unit: mine });
      expect([answer.status, answer.body]).toEqual([400, cursorInvalid]);
    }
    expect((await plane.ask(href, { token, unit: mine })).status).toBe(200);
  });
}

test("T11 a made-up cursor is refused, whatever it is", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: "binary" })), async (text) => {
      fc.pre(text !== "");
      const answer = await plane.ask(`/tasks?cursor=${encodeURIComponent(text.toWellFormed())}`, { token });
      expect([answer.status, answer.body]).toEqual([400, cursorInvalid]);
    }),
    runs(200),
  );
});

test("T11 a cursor of one unit is refused in a sibling, in the parent and without the header", async () => {
  const href = await nextOf("/tasks?limit=2", mine);
  const answers = [
    await plane.ask(href, { token, unit: sibling }),
    await plane.ask(href, { token, unit: root }),
    await plane.ask(href, { token }),
  ];
  expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [400, cursorInvalid]));
});

test("T11 a cursor is refused for another filter, limit, list and version", async () => {
  const cursor = cursorOf(await nextOf("/tasks?limit=2", mine));
  const ofUsers = cursorOf(await nextOf("/users?limit=2", mine, "application/api.svc.users=v2+json"));
  const v1 = "application/api.svc.users=v1+json";
  const answers = [
    await plane.ask(`/tasks?limit=2&filter={"status":"completed"}&cursor=${cursor}`, { token, unit: mine }),
    await plane.ask(`/tasks?limit=3&cursor=${cursor}`, { token, unit: mine }),
    await plane.ask(`/tasks?cursor=${cursor}`, { token, unit: mine }),
    await plane.ask(`/users?limit=2&cursor=${cursor}`, { token, unit: mine }),
    await plane.ask(`/tasks?limit=2&cursor=${ofUsers}`, { token, unit: mine }),
    await plane.ask(`/users?limit=2&cursor=${ofUsers}`, { token, unit: mine, accept: v1 }),
  ];
  expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [400, cursorInvalid]));
});

test("T11 a cursor of a caller who may see more gives another caller only what it may see itself", async () => {
  const href = await nextOf("/users?limit=2", mine);
  const role = await plane.serviceToken("viewer", mine);
  const both = await plane.addUser({
    name: "zz both",
    roles: [
      { role: "viewer", unitId: mine },
      { role: "admin", unitId: sibling },
    ],
  });
  const page = await plane.ask("/users?limit=100", { token: role.token });
  expect((await plane.ask(href, { token: role.token })).status).toBe(200);
  expect(page.text).not.toContain(sibling);
  expect(page.body._embedded.items.at(-1)).toMatchObject({ id: both, organizational_unit_count: 1 });
});

test("T11 a reporter cannot use a cursor that a viewer was given", async () => {
  const href = await nextOf("/tasks?limit=2", mine);
  const reporter = await plane.serviceToken("reporter", mine);
  expect((await plane.ask(href, { token: reporter.token })).status).toBe(403);
});

test("T11 R9 links stay valid when the service is started anew on the same data, and in a second one beside it", async () => {
  const folder = makeFolder();
  const first = await openPlane({}, folder);
  await first.addTasks(Array.from({ length: 7 }, () => ({})));
  const viewer = await first.serviceToken("viewer");
  const page = await first.ask("/tasks?limit=3", viewer);
  const second = await openPlane({}, folder);
  const rest = await walk(second, page.body._links.next.href, viewer);
  await first.addTasks([{}]);
  const again = await walk(first, page.body._links.next.href, viewer);
  const everything = [...page.body._embedded.items, ...rest];
  expect(everything.map(({ id }) => id)).toEqual(
    everything
      .map(({ id }) => id)
      .sort()
      .reverse(),
  );
  expect([everything.length, again]).toEqual([7, rest]);
  await second.close();
  await first.database.close();
});
