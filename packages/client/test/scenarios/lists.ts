import { connect } from "../../src/index";
import { collect, equal, given, holds, type Scenarios, thrownBy } from "./world";

export const listScenarios: Scenarios = {
  "a list gives every item once, by pages, by items and by the first so many": async ({ holdfast, mark }) => {
    const type = mark();
    for (let at = 0; at < 7; at++) await holdfast.tasks.create({ category: "system", type, status: "completed" });
    const list = () => holdfast.tasks.list({ filter: { type }, limit: 3 });
    const ids = (await collect(list())).map(({ id }) => id);
    equal(new Set(ids).size, 7);
    const pages = await collect(list().pages());
    equal(
      pages.map(({ start, current_count, total_count, total_pages_count, limit }) => [
        start,
        current_count,
        total_count,
        total_pages_count,
        limit,
      ]),
      [
        ["1", 3, 7, 3, 3],
        [pages[1]?.start, 3, 7, 3, 3],
        [pages[2]?.start, 1, 7, 3, 3],
      ],
    );
    equal(
      pages.flatMap(({ items }) => items.map(({ id }) => id)),
      ids,
    );
    for (const [count, wanted] of [
      [0, 0],
      [2, 2],
      [3, 3],
      [5, 5],
      [50, 7],
    ] as const) {
      equal(
        (await list().first(count)).map(({ id }) => id),
        ids.slice(0, wanted),
      );
    }
    // Without a limit, the page is as long as what is asked for.
    equal((await holdfast.tasks.list({ filter: { type } }).first(4)).length, 4);
    const second = await holdfast.tasks.list({ filter: { type }, limit: 3, start: 2 }).page();
    equal(
      second.items.map(({ id }) => id),
      ids.slice(3, 6),
    );
    // A list can be walked over twice.
    const twice = list();
    equal([(await collect(twice)).length, (await collect(twice)).length], [7, 7]);
  },

  "a list takes a Date in its filter": async ({ holdfast, mark }) => {
    const type = mark();
    const task = await holdfast.tasks.create({ category: "system", type, status: "completed" });
    const created = new Date(task.created_timestamp);
    const count = async (filter: { $gte?: Date; $lt?: Date }) =>
      (await holdfast.tasks.list({ filter: { type, created_timestamp: filter } }).page()).total_count;
    equal(await count({ $gte: created }), 1);
    equal(await count({ $lt: created }), 0);
    equal(await count({ $gte: new Date(created.getTime() + 1) }), 0);
  },

  "an empty list has one page without items": async ({ holdfast, mark }) => {
    const list = holdfast.tasks.list({ filter: { type: mark() } });
    equal(await collect(list), []);
    equal(await list.first(3), []);
    equal(
      (await collect(list.pages())).map(({ items, total_count }) => [items, total_count]),
      [[[], 0]],
    );
  },

  "a signal ends a walk in its middle, and leaves nothing behind": async ({ openLane }) => {
    const { lane, client } = openLane();
    const stop = new AbortController();
    let seen = 0;
    const error = await thrownBy(async () => {
      for await (const _ of client.tasks.list({ limit: 5, signal: stop.signal })) {
        seen += 1;
        if (seen === 7) stop.abort(new Error("enough"));
      }
    });
    equal(String(error), "Error: enough");
    // Items that had arrived are returned; nothing more is requested.
    equal(seen, 10);
    equal((await lane.requests("^GET /tasks")).length, 2);
    const before = await thrownBy(() => client.tasks.list({ signal: stop.signal }).first(1));
    equal(String(before), "Error: enough");
  },

  "every resource has a list": async ({ holdfast }) => {
    const { users, organizationalUnits, roles, apiTokens, keys, auditEvents } = holdfast;
    const lists = [users, organizationalUnits, roles, apiTokens, keys, auditEvents].map((one) =>
      one.list({ limit: 2 }),
    );
    for (const list of lists) {
      const items = await list.first(3);
      holds(items.length > 0, "there is an item");
      equal(new Set(items.map(({ id }) => id)).size, items.length);
    }
  },

  "users have two versions, chosen for a client or a call": async ({ holdfast, caller }) => {
    const [user] = await holdfast.users.list().first(1);
    const { id, email, full_name, is_confirmed, is_enabled } = given(user);
    holds("created_timestamp" in given(user), "version 2 says when a user was created");
    const firstVersion = { id, email, full_name, is_confirmed, is_enabled };
    equal(await holdfast.users.read(id, { version: 1 }), firstVersion);
    equal((await holdfast.users.list({ version: 1, limit: 1 }).first(2))[0], firstVersion);
    const { token, session, baseUrl } = caller;
    const old = connect({ token, session, baseUrl, versions: { users: 1 } });
    equal(await old.users.read(id), firstVersion);
    holds("created_timestamp" in (await old.users.read(id, { version: 2 })), "a call can ask for version 2");
    const [audited] = await old.auditEvents.list().first(1);
    holds(audited !== undefined, "other resources have their own versions");
  },

  "a client acts in a unit": async ({ holdfast, connectAgain, mark }) => {
    const name = mark();
    const unit = await holdfast.organizationalUnits.create({ name });
    const inside = holdfast.in(unit.id);
    equal([inside.unit, holdfast.unit, inside.baseUrl], [unit.id, undefined, holdfast.baseUrl]);
    await inside.tasks.create({ category: "system", type: name, status: "completed" });
    await holdfast.tasks.create({ category: "system", type: name, status: "completed" });
    const count = async (client: typeof holdfast) =>
      (await client.tasks.list({ filter: { type: name } }).page()).total_count;
    equal(await count(inside), 1);
    equal(await count(connectAgain({ unit: unit.id })), 1);
    equal(await count(holdfast), 2);
    holds("list-tasks" in Object((await inside.discover()).tasks?.v1), "discovery is the unit's own");
  },
};
