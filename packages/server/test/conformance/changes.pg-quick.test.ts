import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { exampleBody } from "@holdfast/api/reference/examples";
import { type App, createApp } from "../../src/http/app";
import { type Answered, type Ask, openPlane, type Plane, readAnswer, root, unitHeaderName } from "../harness";
import { someOnPostgres } from "../runs";
import type { Asker } from "../samples/resource-sample";
import { prepareIn } from "../samples/samples";
import { addUnsentWebhook } from "../webhooks/unsent";
import { codesOf, expectCommonHeaders } from "./codes-of";
import { listOf, lists, madeUpPath, writes, writings } from "./declared";
import { openSeededPlane, type SeededPlane } from "./seeded-plane";

const day = 86_400_000;
const largest = 1_048_576;

let plane: SeededPlane;
let app: App;
/** Two people who may do everything: what is for people alone is tried, too. */
let owner: Owner;
let otherOwner: Owner;
/** The token of the first. */
let token: string;
beforeAll(async () => {
  plane = await openSeededPlane();
  app = createApp(plane.service);
  owner = await addOwner(plane);
  otherOwner = await addOwner(plane);
  token = owner.token;
});
afterAll(() => plane.close());

interface Owner extends Asker {
  token: string;
}

async function addOwner({ addUser, personalToken }: Plane): Promise<Owner> {
  const userId = await addUser({ name: "An Owner", roles: [{ role: "owner", unitId: root }] });
  const made = await personalToken(userId, root, 30 * day);
  return { userId, holder: userId, unitId: root, token: made.token };
}

/** Request of an operation in the root. No two are alike. */
const prepare = (given: Plane, operationId: string, asker: Owner) =>
  prepareIn({ ...given, owner: asker.token }, root, operationId, asker);

/** Sends a body as it is given, JSON or not. */
async function send(
  path: string,
  method: string,
  { token, accept, headers }: Ask,
  body?: string | Uint8Array<ArrayBuffer>,
): Promise<Answered> {
  const sent = new Headers(headers);
  if (token !== undefined) sent.set("Authorization", `Bearer ${token}`);
  if (accept !== undefined) sent.set("Accept", accept);
  const init = { method, headers: sent, ...(body === undefined ? {} : { body }) };
  return readAnswer(await app.request(`http://localhost${path}`, init));
}

/** Everything that every list shows, to compare before and after. */
async function shownByAll({ ask }: SeededPlane, token: string): Promise<string[]> {
  const pages = await Promise.all(
    lists.map(({ operation, accept }) => ask(`${operation.path}?limit=1000`, { token, accept })),
  );
  // Refusals go into the audit trail by themselves.
  return pages.filter((_, index) => lists[index]?.resource.name !== "audit-events").map(({ text }) => text);
}

// Checks before and of a body do not depend on the database.
describe.each(someOnPostgres(2, writings))("$name", ({ operation, accept, resource }) => {
  const path = madeUpPath(operation);
  const method = operation.method.toUpperCase();
  const json = { "Content-Type": "application/json" };
  const ask = (given: Ask, body?: string | Uint8Array<ArrayBuffer>, query = "") =>
    send(`${path}${query}`, method, { accept, headers: json, ...given }, body);

  test("asks for a token before anything else", async () => {
    const answer = await ask({ accept: "text/html", headers: { [unitHeaderName]: "no uuid" } }, "{", "?nonsense=1");
    expect([answer.status, codesOf(answer)]).toEqual([401, [40101]]);
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="holdfast"');
  });

  test("looks at the unit, the version, the query and the permission before the body", async () => {
    const wrong = {
      token: plane.viewer,
      accept: "application/api.svc.tasks=v99+json",
      headers: { [unitHeaderName]: "x" },
    };
    const stages = [
      await ask(wrong, "{", "?nonsense=1"),
      await ask({ ...wrong, headers: {} }, "{", "?nonsense=1"),
      await ask({ token: plane.viewer, headers: {} }, "{", "?nonsense=1"),
      await ask({ token: plane.viewer, headers: {} }, "{"),
    ];
    expect(stages.map((answer) => [answer.status, ...codesOf(answer)])).toEqual([
      [400, 40011],
      [406, 40601],
      [400, 40001],
      [403, 40302],
    ]);
    expect(stages[3]?.body.errors[0].error_message).toContain(String(operation.permission));
  });

  test("refuses a version that it lacks, and names those that it has", async () => {
    const answer = await ask({ token, accept: `application/api.svc.${resource.name}=v99+json` });
    expect([answer.status, codesOf(answer)]).toEqual([406, [40601]]);
    expect(answer.body.errors[0].error_message).toContain(accept);
  });

  test("refuses a unit that is not there", async () => {
    const unit = { [unitHeaderName]: "11111111-1111-4111-8111-111111111111" };
    const answer = await ask({ token, headers: unit }, "{}");
    expect([answer.status, codesOf(answer)]).toEqual([403, [40301]]);
  });

  test("refuses a body over 1 MiB, however long it says that it is", async () => {
    const answer = await ask({ token }, `{"name":"${"a".repeat(largest)}"}`);
    expect([answer.status, codesOf(answer)]).toEqual([413, [41301]]);
  });
});

const withBody = writings.filter(({ operation }) => operation.body !== undefined);
const withoutBody = writes.filter(({ operation }) => operation.body === undefined);

describe.each(someOnPostgres(2, withBody))("the body of $name", ({ operation, accept }) => {
  const ask = (body: string | Uint8Array<ArrayBuffer>, type: string | null = "application/json") =>
    send(
      madeUpPath(operation),
      operation.method.toUpperCase(),
      { token, accept, headers: type === null ? {} : { "Content-Type": type } },
      body,
    );

  test("can be nothing where something is made and no field is needed, or reported, and otherwise cannot", async () => {
    const needsNothing = operation.method === "post" && operation.body?.safeParse({}).success === true;
    const mayBeNothing = operation.kind === "report" || needsNothing;
    const [, code] = await ask("").then(({ status, body }) => [status, body?.errors?.[0]?.error_code]);
    expect(code === 40015).toBe(!mayBeNothing);
  });

  test.each([
    ["half an object", '{"name":'],
    ["a list", "[]"],
    ["null", "null"],
    ["a text", '"name"'],
    ["a number", "1"],
    ["two objects", "{}{}"],
    ["a key twice", '{"name":"a","name":"b"}'],
    ["a key twice, spelt differently", '{"name":"a","n\\u0061me":"b"}'],
    ["eleven levels", `{"a":${"[".repeat(10)}${"]".repeat(10)}}`],
    ["fifty thousand levels", `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
  ])("cannot be %s", async (_, body) => {
    const answer = await ask(body);
    expect([answer.status, codesOf(answer)]).toEqual([400, [40015]]);
  });

  test("cannot be other than UTF-8", async () => {
    const answer = await ask(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
    expect([answer.status, codesOf(answer)]).toEqual([400, [40015]]);
  });

  test.each([null, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "json"])(
    "cannot be sent as %s",
    async (type) => {
      const answer = await ask(new TextEncoder().encode("{}"), type);
      expect([answer.status, codesOf(answer)]).toEqual([415, [41501]]);
    },
  );

  test("is told of all its faults at once", async () => {
    const wrong = Object.fromEntries(Object.keys(operation.body?.shape ?? {}).map((field) => [field, { odd: 1 }]));
    const answer = await ask(JSON.stringify({ ...wrong, fliter: 1, naïve: 2 }));
    expect(answer.status).toBe(422);
    expect(new Set(codesOf(answer))).toEqual(new Set([42201]));
    const faulty = answer.body.errors.map(({ field }: { field: string }) => decodeURI(field.split("/")[1] ?? ""));
    expect(new Set(faulty)).toEqual(new Set([...Object.keys(wrong), "fliter", "naïve"]));
    for (const field of [...Object.keys(wrong), "fliter", "naïve"]) expect(answer.text).toContain(`\\"${field}`);
  });

  test("cannot set what lies behind an object", async () => {
    const answer = await ask('{"__proto__":{"is_enabled":true},"constructor":1}');
    expect(answer.status).toBe(422);
    expect(answer.text).toContain("constructor");
    expect(Object.hasOwn(Object.prototype, "is_enabled")).toBe(false);
  });
});

describe.each(someOnPostgres(2, withoutBody))("$name", ({ operation, accept }) => {
  test.each(['{"name":"x"}', "[]", "x"])("takes no body such as %s", async (body) => {
    const headers = { "Content-Type": "application/json" };
    const ask = { token, accept, headers };
    const answer = await send(madeUpPath(operation), operation.method.toUpperCase(), ask, body);
    expect([answer.status, codesOf(answer)]).toEqual([422, [42201]]);
  });
});

const onItems = writings.filter(({ operation }) => operation.path.includes("{"));
const onVersions = writes.filter(({ operation }) => operation.path.includes("{") && operation.method !== "post");

test.each(someOnPostgres(6, onItems))("$name answers 404 for what is not there", async ({ operation, accept }) => {
  for (const id of ["00000000-0000-7000-8000-999999999999", "x", "%00", "' or 1=1 --", "a".repeat(2000)]) {
    const path = operation.path.replace(/\{\w+\}/, id);
    // A report is checked before its task is looked for.
    const sent = operation.kind === "report" ? JSON.parse(exampleBody(operation.body)) : {};
    const body = operation.body ? { body: sent } : {};
    const answer = await plane.ask(path, { method: operation.method.toUpperCase(), token, accept, ...body });
    expect([answer.status, codesOf(answer)]).toEqual([404, [40402]]);
  }
});

describe("a change of what is there", () => {
  // Deleting or retiring an item here may take it from other tests.
  let own: SeededPlane;
  let token: string;
  beforeAll(async () => {
    own = await openSeededPlane();
    token = (await addOwner(own)).token;
  });
  afterAll(() => own.close());

  test.each(someOnPostgres(3, onVersions))(
    "$name does nothing where If-Match speaks of something else, and is made where it does not",
    async ({ operation, accept, resource, version }) => {
      const list = listOf({ resource, version });
      const { body } = await own.ask(`${list.operation.path}?limit=1000`, { token, accept: list.accept });
      // The last one that is no part of the installation: a default role and the root cannot be changed like that.
      const item = body._embedded.items.findLast(
        (one: { id: string; is_default?: boolean }) => one.is_default !== true && one.id !== root,
      );
      const path = operation.path.replace(/\{\w+\}/, item.id);
      const change = (headers: Record<string, string>) =>
        own.ask(path, {
          method: operation.method.toUpperCase(),
          token,
          accept,
          headers,
          ...(operation.body ? { body: {} } : {}),
        });
      const before = await shownByAll(own, token);
      for (const stale of ['"1-stale"', 'W/"1-stale"', '"a", "b"', "nonsense", ""]) {
        const answer = await change({ "If-Match": stale });
        expect([answer.status, codesOf(answer)]).toEqual([412, [41201]]);
      }
      expect(await shownByAll(own, token)).toEqual(before);
      const { headers } = await own.ask(item._links.self.href, { token, accept });
      const done = await change({ "If-Match": `"1-other", ${headers.get("etag")}` });
      expect(done.status).toBe(operation.status);
    },
  );
});

test.each(["/users/{id}/invitation", "/api-tokens/{id}/rotate"])(
  "%s honours If-Match as a change does",
  async (about) => {
    const own = await openPlane();
    const { token } = await addOwner(own);
    const ids = {
      users: await own.addUser({ isConfirmed: false }),
      "api-tokens": (await own.serviceToken("viewer")).id,
    };
    const path = about.replace("{id}", about.startsWith("/users") ? ids.users : ids["api-tokens"]);
    const send = (match: string) => own.ask(path, { method: "POST", token, headers: { "If-Match": match } });
    const { headers } = await own.ask(path.replace(/\/\w+$/, ""), { token });
    const stale = await send('"1-stale"');
    expect([stale.status, codesOf(stale)]).toEqual([412, [41201]]);
    expect((await send(headers.get("etag") ?? "")).status).toBe(201);
    await own.close();
  },
);

const restless = onVersions.filter(({ resource }) => resource.volatileFields !== undefined);

test("users, units, monitors, entities, API tokens and webhooks have fields that change by themselves", () => {
  const names = [...new Set(restless.map(({ resource }) => resource.name))];
  expect(names.toSorted()).toEqual(["api-tokens", "entities", "monitors", "organizational-units", "users", "webhooks"]);
});

describe.each(someOnPostgres(3, restless))("$name", ({ operation, accept }) => {
  test("is not held up by what changes by itself, which whoever reads the item gets to see all the same", async () => {
    const own = await openPlane();
    const asker = await addOwner(own);
    const { token } = asker;
    const user = await own.addUser({ roles: [{ role: "viewer", unitId: root }] });
    const [personal, service] = [await own.personalToken(user), await own.serviceToken("viewer")];
    const above = await own.addUnit("Above");
    const { body: monitor } = await own.ask("/monitors", { method: "POST", token, body: { name: "Files" } });
    await own.ask(new URL(monitor.ping_url).pathname);
    const [entity] = (await own.ask("/entities", { token })).body._embedded.items;
    own.clock.now += 60_000;
    const webhook = await addUnsentWebhook(own, { token });
    const { body: changed } = await prepare(own, operation.id, asker);
    const path = operation.path
      .replace("{entity_id}", entity.id)
      .replace("{user_id}", user)
      .replace("{webhook_id}", webhook)
      .replace("{api_token_id}", service.id)
      .replace("{monitor_id}", monitor.id)
      .replace("{organizational_unit_id}", await own.addUnit("Below", above));
    const read = (known = "") => own.ask(path, { token, accept, headers: { "If-None-Match": known } });
    const before = await read();
    const etag = before.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[^"\s,]+"$/);
    expect((await read(etag)).status).toBe(304);
    for (const used of [personal, service]) await own.ask("/tasks", { token: used.token });
    await own.service.tokenUse.flush();
    await own.ask(new URL(monitor.ping_url).pathname);
    await own.database.change((db) => db.updateTable("webhooks").set({ failures_in_a_row: 1 }).execute());
    await own.ask(`/organizational-units/${above}`, { method: "PATCH", token, body: { name: "Still above" } });
    const after = await read(etag);
    expect(after.status).toBe(200);
    expect(after.body).not.toEqual(before.body);
    expect((await read(after.headers.get("etag") ?? "")).status).toBe(304);
    const method = operation.method.toUpperCase();
    const change = { method, token, accept, headers: { "If-Match": etag }, body: changed };
    expect((await own.ask(path, change)).status).toBe(operation.status);
    // Now somebody has changed it.
    expect([404, 412]).toContain((await own.ask(path, change)).status);
    await own.close();
  });
});

const posts = writings.filter(({ operation }) => operation.method === "post");

describe.each(someOnPostgres(8, posts))("$name", ({ operation, accept }) => {
  const key = `key-of-${operation.id}`;
  async function request(asker = owner): Promise<{ path: string; body?: object }> {
    const { itemId = "", body } = await prepare(plane, operation.id, asker);
    return { path: operation.path.replace(/\{\w+\}/, itemId), ...(body ? { body } : {}) };
  }
  const post = ({ path, body }: { path: string; body?: object }, given: Ask = {}) =>
    plane.ask(path, {
      method: "POST",
      token,
      accept,
      headers: { "Idempotency-Key": key },
      ...given,
      ...(body ? { body } : {}),
    });

  test("is done once for one Idempotency-Key, and answered alike, without what is shown once", async () => {
    const wanted = await request();
    const first = await post(wanted);
    expect([first.status, first.headers.get("content-type")]).toEqual([operation.status, accept]);
    expectCommonHeaders(first.headers);
    expect(first.headers.get("location") ?? "").toMatch(operation.status === 201 ? /^\/[a-z-]+\/[\w-]+$/ : /^$/);
    const shown = await shownByAll(plane, token);
    const again = await post(wanted);
    expect(await shownByAll(plane, token)).toEqual(shown);
    for (const name of ["location", "etag", "content-type"]) {
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    }
    const { token: _, invitation_link: __, ping_url: ___, key: ____, secret: _____, ...lasting } = first.body;
    expect([again.status, again.body]).toEqual([first.status, lasting]);

    const other = await post(
      { ...wanted, ...(wanted.body ? { body: (await request()).body } : {}) },
      otherUnit(wanted),
    );
    expect([other.status, codesOf(other)]).toEqual([409, [40903]]);
    expect((await post(await request(otherOwner), { token: otherOwner.token })).status).toBe(operation.status);
  });

  test("is done anew with the same key after a day", async () => {
    plane.clock.now += day + 1;
    const answer = await post(await request());
    expect(answer.status).toBe(operation.status);
  });

  test.each(["a b", "ü", "a".repeat(201)])("refuses the Idempotency-Key %s", async (odd) => {
    const answer = await post(await request(), { headers: { "Idempotency-Key": odd } });
    expect([answer.status, codesOf(answer)]).toEqual([400, [40016]]);
  });

  test("is done each time without a key", async () => {
    const statuses = [];
    for (const _ of [1, 2]) statuses.push((await post(await request(), { headers: {} })).status);
    expect(statuses).toEqual([operation.status, operation.status]);
  });

  /** A request without a body differs in another unit. */
  function otherUnit({ body }: { body?: object }): Ask {
    return body ? {} : { unit: plane.units.north };
  }
});
