import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { viewPageNames, viewPages } from "@holdfast/api/resources/view-pages";
import { type Answered, type Ask, openPlane, type Plane, root } from "../harness";

let plane: Plane;
let north: string;
let harbour: string;
let owner: string;

beforeAll(async () => {
  plane = await openPlane();
  north = await plane.addUnit("North");
  harbour = await plane.addUnit("Harbour", north);
  owner = (await plane.serviceToken("owner")).token;
});
afterAll(() => plane.close());

const query = "outcome=error,lost&since=7d";

/** A person who holds a role in a unit, with a token for it. */
async function person(role: "viewer" | "operator" | "reporter" | "owner", unitId = root) {
  const id = await plane.addUser({ roles: [{ role, unitId }] });
  return { id, token: (await plane.personalToken(id, unitId)).token };
}

const save = (body: object, ask: Ask = {}): Promise<Answered> =>
  plane.ask("/views", { method: "POST", token: owner, body: { page: "tasks", query, ...body }, ...ask });
const change = (id: string, body: object, ask: Ask) => plane.ask(`/views/${id}`, { method: "PATCH", body, ...ask });
const remove = (id: string, ask: Ask) => plane.ask(`/views/${id}`, { method: "DELETE", ...ask });
const refusal = ({ status, body }: Answered) => [status, body?.errors?.[0].error_code, body?.errors?.[0].field];

async function names(token: string, unit?: string, filter: object = {}): Promise<string[]> {
  const asked = `/views?filter=${encodeURIComponent(JSON.stringify(filter))}`;
  const { body } = await plane.ask(asked, { token, ...(unit === undefined ? {} : { unit }) });
  return body._embedded.items.map(({ name }: { name: string }) => name);
}

async function trail(operation: string): Promise<Record<string, unknown>[]> {
  const filter = encodeURIComponent(JSON.stringify({ operation }));
  return (await plane.ask(`/audit-events?filter=${filter}&limit=1000`, { token: owner })).body._embedded.items;
}

describe("who sees a view", () => {
  test("T10: a private view is its person's alone, in every unit that the person acts in", async () => {
    const [ada, bob] = [await person("viewer"), await person("owner")];
    const { body: view } = await save({ name: "Ada's own" }, { token: ada.token, unit: harbour });
    expect(view).toEqual({
      id: view.id,
      name: "Ada's own",
      page: "tasks",
      query,
      is_shared: false,
      organizational_unit_id: null,
      created_timestamp: new Date(plane.clock.now).toISOString(),
      _links: { self: { href: `/views/${view.id}`, templated: false, type: "get" } },
    });
    for (const unit of [root, north, harbour]) {
      expect(await names(ada.token, unit)).toContain("Ada's own");
      expect((await plane.ask(`/views/${view.id}`, { token: ada.token, unit })).body).toEqual(view);
    }
    for (const token of [bob.token, owner]) {
      expect(await names(token)).not.toContain("Ada's own");
      expect(await names(token, root, { id: view.id })).toEqual([]);
      const absent = await plane.ask(`/views/${crypto.randomUUID()}`, { token });
      for (const answer of [
        await plane.ask(`/views/${view.id}`, { token }),
        await change(view.id, { name: "Bob's" }, { token }),
        await remove(view.id, { token }),
      ]) {
        expect([answer.status, answer.text]).toEqual([404, absent.text]);
      }
    }
    expect((await plane.ask(`/views/${view.id}`, { token: ada.token })).body).toEqual(view);
  });

  test("T10: a shared view is seen in its unit and in those above it, and by nobody beside or below", async () => {
    const made = await save({ name: "Of the north", is_shared: true }, { unit: north });
    expect(made.body).toMatchObject({ is_shared: true, organizational_unit_id: north });
    const south = await plane.addUnit("South");
    const [above, own] = [await person("viewer"), await person("viewer", north)];
    const [below, beside] = [await person("viewer", harbour), await person("viewer", south)];
    expect(await names(above.token)).toContain("Of the north");
    expect(await names(own.token)).toEqual(["Of the north"]);
    for (const { token } of [below, beside]) {
      expect(await names(token)).toEqual([]);
      expect((await plane.ask(`/views/${made.body.id}`, { token })).status).toBe(404);
    }
    // A person who may only report tasks sees no other's views, but may have own ones.
    const reporter = await person("reporter", north);
    expect((await save({ name: "Mine" }, { token: reporter.token })).status).toBe(201);
    expect(await names(reporter.token)).toEqual(["Mine"]);
  });

  test("T7: a viewer shares nothing and changes nothing shared; an operator of the unit does", async () => {
    const [viewer, operator] = [await person("viewer", north), await person("operator", north)];
    const { token } = viewer;
    expect(refusal(await save({ name: "Shared", is_shared: true }, { token }))).toEqual([403, 40302, undefined]);
    const shared = (await save({ name: "Shared", is_shared: true }, { token: operator.token })).body;
    const own = (await save({ name: "Private" }, { token })).body;
    for (const answer of [
      await change(shared.id, { name: "Other" }, { token }),
      await change(shared.id, { is_shared: false }, { token }),
      await change(own.id, { is_shared: true }, { token }),
      await remove(shared.id, { token }),
    ]) {
      expect([answer.status, answer.body.errors[0].error_message]).toEqual([
        403,
        "This needs the permission views:write in the organizational unit. Ask an administrator for a role that has it.",
      ]);
    }
    // In a unit below, the permission that counts is that in the unit of the view.
    const lower = await person("operator", harbour);
    const there = { token: lower.token, unit: harbour };
    expect((await change(shared.id, { name: "Other" }, there)).status).toBe(404);
    expect((await change(shared.id, { name: "Other" }, { token: operator.token })).body.name).toBe("Other");
    expect((await remove(shared.id, { token: operator.token })).status).toBe(204);
  });

  test("a service has shared views only", async () => {
    expect(refusal(await save({ name: "A robot's" }))).toEqual([403, 40305, "/is_shared"]);
    const { body: view } = await save({ name: "A robot's", is_shared: true });
    expect(refusal(await change(view.id, { is_shared: false }, { token: owner }))).toEqual([403, 40305, "/is_shared"]);
  });

  test("a view is shared in the unit that is acted in, and made private to who does that", async () => {
    const { token } = await person("operator", north);
    const { body: view } = await save({ name: "Wanders" }, { token });
    const shared = await change(view.id, { is_shared: true }, { token, unit: harbour });
    expect(shared.body).toEqual({ ...view, is_shared: true, organizational_unit_id: harbour });
    expect(await names(owner, harbour)).toContain("Wanders");
    const back = await change(view.id, { is_shared: false }, { token });
    expect(back.body).toEqual(view);
    expect(await names(owner, harbour)).not.toContain("Wanders");
  });

  test("T10: the audit trail has who changed which view, and nothing that only its person may know", async () => {
    const { token } = await person("operator", north);
    const { body: view } = await save({ name: "Whispered name", query: "q=whispered-query" }, { token });
    await change(view.id, { name: "Whispered again", query: "q=whispered-more" }, { token });
    await change(view.id, { is_shared: true, name: "Said aloud", query: "q=aloud" }, { token });
    await remove(view.id, { token });
    const events = [...(await trail("create-view")), ...(await trail("update-view")), ...(await trail("delete-view"))];
    const own = events.filter(({ object }) => Object(object).id === view.id);
    expect(own.map(({ operation, organizational_unit_id }) => [operation, organizational_unit_id])).toEqual([
      ["create-view", north],
      ["update-view", north],
      ["update-view", north],
      ["delete-view", north],
    ]);
    expect(JSON.stringify(events)).not.toMatch(/whispered/i);
    expect(own[1]?.after).toEqual(expect.objectContaining({ name: "Said aloud", query: "q=aloud" }));
  });
});

describe("what a view may be", () => {
  test("every name of every page's query is taken, and the query is stored in one spelling", async () => {
    const given: Record<string, string> = {
      tasks:
        "q=db 1&status=failed,aborted&outcome=error&category=backup&type=x&item=a&item_id=b&id=c&error=d&unit_only=yes&monitor=e&since=24h&from=2026-11-01&to=2026-11-02T00:00:00Z&started_from=2026-11-01&started_to=2026-11-01&ended_from=2026-11-01&ended_to=2026-11-01",
      entities: "q=a&state=failing,muted&type=host&sort=value",
      monitors: "q=a&state=late",
      users: "q=a&role=b&held_in=c",
      "api-tokens": "q=a&kind=service&role=b&owner=c&show=good",
      "audit-events": "actor=a&operation=b&object=c&result=refused&since=7d&from=2026-11-01&to=2026-11-02",
    };
    for (const page of viewPageNames) {
      const text = given[page] ?? "";
      expect([...new URLSearchParams(text).keys()]).toEqual([...viewPages[page].names]);
      const reversed = `?${text.split("&").reverse().join("&")}`;
      const { status, body } = await save({ name: `All of ${page}`, page, query: reversed, is_shared: true });
      expect([page, status, body.query]).toEqual([page, 201, text.replaceAll(" ", "%20")]);
    }
    expect((await save({ name: "Everything", query: "", is_shared: true })).body.query).toBe("");
  });

  test.each([
    ["an unknown name", "fliter=x", 'There is no parameter "fliter" here. Known are q, status, outcome,'],
    ["the number of a page", "page=2", 'There is no parameter "page" here.'],
    ["a name twice", "q=a&q=b", "Give the parameter q once."],
    ["what is not UTF-8", "q=%ff", "The parameter q is not UTF-8, percent-encoded."],
    ["an unknown word", "outcome=eror", 'The value of outcome is "eror". Give some of success, warning,'],
    ["an unknown period", "since=1y", 'The value of since is "1y". Give 24h, 7d, 30d.'],
    ["no time", "from=yesterday", 'The value of from is "yesterday". Give a time such as 2026-11-01T00:00:00Z.'],
    ["too many values", `type=${Array.from({ length: 201 }, (_, at) => at).join(",")}`, "use at most 200."],
    ["too long a text", `q=${"a".repeat(4001)}`, 'The field "query" has to be at most 4000 characters'],
    [
      "what is too long percent-encoded",
      `q=${"é".repeat(700)}`,
      'The field "query" has to be at most 4000 characters, percent-encoded',
    ],
  ])("a query with %s is refused with what would be right", async (_, wrong, message) => {
    const answer = await save({ name: "Wrong", query: wrong, is_shared: true });
    expect(refusal(answer)).toEqual([422, 42201, "/query"]);
    expect(answer.body.errors[0].error_message).toContain(message);
    const { body: view } = await save({ name: `Right ${crypto.randomUUID()}`, is_shared: true });
    expect(refusal(await change(view.id, { query: wrong }, { token: owner }))).toEqual([422, 42201, "/query"]);
    expect((await plane.ask(`/views/${view.id}`, { token: owner })).body).toEqual(view);
  });

  test("the query of another page, and another page, are refused", async () => {
    const sorted = await save({ name: "Sorted", query: "sort=value", is_shared: true });
    expect(refusal(sorted)).toEqual([422, 42201, "/query"]);
    const unsorted = await save({ name: "Sorted", page: "entities", query: "sort=name", is_shared: true });
    expect(unsorted.body.errors[0].error_message).toBe(
      'The field "query" has to be one of the page entities. The value of sort is "name". Give state, value, last_good_backup.',
    );
    const answer = await save({ name: "Keys", page: "keys", is_shared: true });
    expect(refusal(answer)).toEqual([422, 42201, "/page"]);
    expect(answer.body.errors[0].error_message).toContain("tasks");
    expect(refusal(await save({ name: "", is_shared: true }))).toEqual([422, 42201, "/name"]);
    expect(refusal(await save({ name: "a".repeat(101), is_shared: true }))).toEqual([422, 42201, "/name"]);
  });

  test("hostile texts stay texts", async () => {
    const texts = [
      `"><script>alert(1)</script>`,
      "'; drop table saved_views; --",
      "100% _\\",
      "=HYPERLINK(1)",
      "\u05e9\u05dc\u05d5\u05dd 😀",
      "__proto__",
    ];
    for (const text of texts) {
      const asked = {
        name: `${text} h`,
        query: `q=${encodeURIComponent(text)}\u0000&type=${encodeURIComponent(text)}`,
      };
      const { status, body } = await save({ ...asked, is_shared: true });
      expect([text, status, body.name]).toEqual([text, 201, asked.name]);
      const read = new URLSearchParams(body.query);
      expect([read.get("q"), read.get("type")]).toEqual([`${text}\u0000`, text]);
      expect(await names(owner, root, { name: { $contains: text.toUpperCase() } })).toEqual([asked.name]);
    }
    for (const name of ["a\nb", "a\u202eb", "\u0000", "\ud800"]) {
      expect(refusal(await save({ name, is_shared: true }))).toEqual([422, 42201, "/name"]);
    }
  });

  test("a name stands for one view of a page and an owner, in any letter case", async () => {
    const [ada, bob] = [await person("operator", north), await person("operator", north)];
    const taken = [409, 40902, "/name"];
    const first = (await save({ name: "Élan" }, { token: ada.token })).body;
    expect(refusal(await save({ name: "éLAN" }, { token: ada.token, unit: harbour }))).toEqual(taken);
    expect((await save({ name: "Élan", page: "monitors", query: "" }, { token: ada.token })).status).toBe(201);
    expect((await save({ name: "Élan" }, { token: bob.token })).status).toBe(201);
    const shared = (await save({ name: "Élan", is_shared: true }, { token: ada.token })).body;
    expect(refusal(await save({ name: "ÉLAN", is_shared: true }, { token: bob.token }))).toEqual(taken);
    expect((await save({ name: "Élan", is_shared: true }, { token: ada.token, unit: harbour })).status).toBe(201);
    expect(refusal(await change(first.id, { is_shared: true }, { token: ada.token }))).toEqual(taken);
    expect(refusal(await change(shared.id, { is_shared: false }, { token: bob.token }))).toEqual(taken);
    expect((await change(first.id, { name: "élan" }, { token: ada.token })).body.name).toBe("élan");
  });

  test("a person has at most 100 private views, and a unit 200 shared ones", async () => {
    const unit = await plane.addUnit("Full");
    const { id, token } = await person("operator", unit);
    const rows = (count: number, of: object) =>
      Array.from({ length: count }, (_, at) => ({
        id: crypto.randomUUID(),
        organizational_unit_id: null,
        user_id: null,
        ...of,
        ...{ name: `v${at}`, name_lower: `v${at}`, name_folded: `v${at}`, page: "tasks", query, created_at: at },
      }));
    await plane.database.change(async (db) => {
      await db
        .insertInto("saved_views")
        .values(rows(99, { user_id: id }))
        .execute();
      await db
        .insertInto("saved_views")
        .values(rows(199, { organizational_unit_id: unit }))
        .execute();
    });
    const last = (await save({ name: "The last" }, { token })).body;
    expect((await save({ name: "The last", is_shared: true }, { token })).status).toBe(201);
    const full = [
      await save({ name: "One more" }, { token }),
      await save({ name: "One more", is_shared: true }, { token }),
      await change(last.id, { is_shared: true, name: "One more" }, { token }),
    ];
    expect(full.map(({ status, body }) => [status, body.errors[0].error_message])).toEqual([
      [409, "A person has at most 100 private views. Delete some first."],
      [409, "An organizational unit has at most 200 shared views. Delete some first."],
      [409, "An organizational unit has at most 200 shared views. Delete some first."],
    ]);
    expect((await remove(last.id, { token })).status).toBe(204);
    expect((await save({ name: "One more" }, { token })).status).toBe(201);
  });
});

describe("what becomes of a view", () => {
  test("a deleted user's private views go, and what the user shared stays", async () => {
    const leaver = await person("operator", north);
    await save({ name: "Goes" }, { token: leaver.token });
    const { body: stays } = await save({ name: "Stays", is_shared: true }, { token: leaver.token });
    const count = () =>
      plane.database.snapshot((db) =>
        db.selectFrom("saved_views").select("name").where("user_id", "=", leaver.id).execute(),
      );
    expect(await count()).toEqual([{ name: "Goes" }]);
    expect((await plane.ask(`/users/${leaver.id}`, { method: "DELETE", token: owner })).status).toBe(204);
    expect(await count()).toEqual([]);
    expect((await plane.ask(`/views/${stays.id}`, { token: owner })).status).toBe(200);
  });

  test("a unit with shared views is not deleted, but emptied into another one, unless a name is taken there", async () => {
    const [from, to] = [await plane.addUnit("From"), await plane.addUnit("To")];
    const { body: moved } = await save({ name: "Moves", is_shared: true }, { unit: from });
    const { body: there } = await save({ name: "moves", is_shared: true }, { unit: to });
    const empty = (into = "") => plane.ask(`/organizational-units/${from}${into}`, { method: "DELETE", token: owner });
    const refused = await empty();
    expect([refused.status, refused.body.errors[0].error_message]).toEqual([
      409,
      "There are saved views in this organizational unit. Remove them, or name another unit that takes everything: move_to.",
    ]);
    const taken = await empty(`?move_to=${to}`);
    expect([taken.status, taken.body.errors[0].error_message]).toEqual([
      409,
      'There is another saved view "Moves" in the unit that takes everything. Rename one of them first.',
    ]);
    await remove(there.id, { token: owner });
    expect((await empty(`?move_to=${to}`)).status).toBe(204);
    const { body: arrived } = await plane.ask(`/views/${moved.id}`, { token: owner, unit: to });
    expect(arrived).toEqual({ ...moved, organizational_unit_id: to });
  });

  test("T10: a unit that moves takes its views along, to those who see it there", async () => {
    const [old, parent] = [await plane.addUnit("Old parent"), await plane.addUnit("New parent")];
    const unit = await plane.addUnit("Mover", old);
    await save({ name: "Rides along", is_shared: true }, { unit });
    const [before, after] = [await person("viewer", old), await person("viewer", parent)];
    expect([await names(before.token), await names(after.token)]).toEqual([["Rides along"], []]);
    const asked = { method: "PATCH", token: owner, body: { parent_id: parent } };
    expect((await plane.ask(`/organizational-units/${unit}`, asked)).status).toBe(200);
    expect([await names(before.token), await names(after.token)]).toEqual([[], ["Rides along"]]);
  });
});
