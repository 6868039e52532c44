import { afterAll, afterEach, expect, test } from "bun:test";
import { changesKept, forgetChanges } from "../../src/resources/tasks/watch/task-changes";
import { openPlane } from "../harness";
import { openReportingPlane } from "../reports/reporting-plane";
import { eventsOf, type Watch, watch } from "./watch";

const plane = await openReportingPlane();
const { token } = await plane.serviceToken("viewer");
const open: Watch[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});
afterAll(plane.close);

async function begin(query = "", ask = {}, at: Pick<typeof plane, "request"> = plane): Promise<Watch> {
  const one = await watch(at, query, { token, ...ask });
  open.push(one);
  return one;
}

const create = async (body: object = {}): Promise<string> => (await plane.create(body)).body.id;
const after = (id: string | undefined) => ({ headers: { "Last-Event-ID": id ?? "" } });

/** Watches until there is an event after the snapshot, and gives the id of the last one. */
async function lastId(query = "", ask = {}): Promise<string> {
  const one = await begin(query, ask);
  await one.until((heard) => heard.length > 0);
  await one.close();
  return one.heard.at(-1)?.id ?? "";
}

const faultOf = async (query: string, ask: object) => {
  const { status, body } = await plane.ask(`/task-events${query}`, { token, ...ask });
  return [status, body?.errors[0].error_code, body?.errors[0].field];
};

test("every event has an id, all of the same length, which no number can be read from", async () => {
  const one = await begin();
  await create();
  await one.until((heard) => heard.length > 1);
  await create();
  await one.until((heard) => heard.length > 2);
  const ids = one.heard.map(({ id }) => id);
  expect([new Set(ids).size, new Set(ids.map((id) => id.length)).size]).toEqual([3, 1]);
  expect(ids.every((id) => /^[\w-]{80,}$/.test(id))).toBe(true);
});

test("T33: an id that was altered, or is another filter's or unit's, is refused", async () => {
  const unit = await plane.addUnit("Elsewhere");
  const id = await lastId();
  const altered = `${id.startsWith("A") ? "B" : "A"}${id.slice(1)}`;
  const refused = [400, expect.any(Number), "Last-Event-ID"];
  expect(await faultOf("", after(altered))).toEqual(refused);
  expect(await faultOf("", after("1"))).toEqual(refused);
  expect(await faultOf("", after("x".repeat(5_000)))).toEqual(refused);
  expect(await faultOf('?filter={"category":"backup"}', after(id))).toEqual(refused);
  expect(await faultOf("", { ...after(id), unit })).toEqual(refused);
  expect(await faultOf(`?last_event_id=${altered}`, {})).toEqual(refused);
  const list = (await plane.ask("/tasks?limit=1", { token })).body._links.next?.href ?? "cursor=x";
  expect(await faultOf("", after(new URLSearchParams(list.split("?")[1]).get("cursor") ?? "x"))).toEqual(refused);
});

test("a wrong parameter is refused, and so is an Accept header that asks for something else", async () => {
  expect(await faultOf("?snapshot=no", {})).toEqual([400, expect.any(Number), "snapshot"]);
  expect(await faultOf("?start=2", {})).toEqual([400, 40001, "start"]);
  expect(await faultOf('?filter={"nonsense":1}', {})).toEqual([400, expect.any(Number), "filter"]);
  expect((await faultOf("", { accept: "text/html" }))[0]).toBe(406);
  expect((await faultOf("", { accept: "application/api.svc.tasks=v2+json" }))[0]).toBe(406);
  for (const accept of ["*/*", "text/event-stream", "application/api.svc.tasks=v1+json"]) {
    const { status, headers } = await plane.ask("/task-events", { token, accept });
    expect([status, headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  }
});

test("a stream goes on after the last event, by the header and by the parameter, without a snapshot", async () => {
  const id = await lastId();
  const [first, second] = [await create(), await create()];
  const [byHeader, byParameter] = await Promise.all([begin("", after(id)), begin(`?last_event_id=${id}`)]);
  for (const one of [byHeader, byParameter]) {
    await one.until((heard) => heard.length > 1);
    expect(one.heard.map(({ event, data }) => [event, data.id])).toEqual([
      ["match", first],
      ["match", second],
    ]);
  }
});

test("a stream that is cut after any event of a batch goes on with the next one", async () => {
  const gone = await create();
  const id = await lastId();
  const made = [await create(), await create(), await create()];
  await plane.update(gone, { status: "completed" });
  const whole = await begin("", after(id));
  await whole.until((heard) => heard.length === 4);
  const said = whole.heard.map(({ event, data }) => [event, data.id]);
  expect(said).toEqual([...made.map((one) => ["match", one]), ["task", gone]]);
  // Changes meanwhile to a task that was reported, and to one that was not.
  await plane.update(made[0] ?? "", { status: "completed" });
  await plane.update(made[2] ?? "", { status: "completed" });
  const second = await begin("", after(whole.heard[1]?.id));
  await second.until((heard) => heard.length === 3);
  expect(second.heard.map(({ event, data }) => [event, data.id, data.status])).toEqual([
    ["task", made[0], "completed"],
    ["match", made[2], "completed"],
    ["task", gone, "completed"],
  ]);
  // Cut once more, within what was sent again.
  const third = await begin("", after(second.heard[0]?.id));
  await third.until((heard) => heard.length === 2);
  expect(third.heard.map(({ event, data }) => [event, data.id])).toEqual([
    ["match", made[2]],
    ["task", gone],
  ]);
});

test("a stream goes on in another process on the same database, and after a restart", async () => {
  const id = await lastId();
  const made = await create();
  const other = await openPlane({}, plane.folder);
  const one = await begin("", after(id), other);
  await one.until((heard) => heard.length === 1);
  const later = await create();
  await one.until((heard) => heard.length === 2);
  expect(one.heard.map(({ event, data }) => [event, data.id])).toEqual([
    ["match", made],
    ["match", later],
  ]);
  await one.close();
  await other.database.close();
  const again = await openPlane({}, plane.folder);
  const last = await begin("", after(one.heard[0]?.id), again);
  await last.until((heard) => heard.length === 1);
  expect(last.heard.map(({ data }) => data.id)).toEqual([later]);
  await last.close();
  await again.database.close();
});

test("a place that is too old, or beyond the newest, is reset, and a snapshot follows", async () => {
  const old = await lastId();
  await create();
  await create();
  const newest = await lastId();
  await plane.database.change((db) => forgetChanges(db, plane.clock.now + 1));
  const tooOld = await begin("", after(old));
  await tooOld.until((heard) => heard.length === 2);
  await tooOld.close();
  const current = await begin("", after(newest));
  await create();
  await current.until((heard) => heard.length > 0);
  expect([eventsOf(tooOld.heard), eventsOf(current.heard)]).toEqual([["reset", "snapshot"], ["match"]]);
  await plane.database.change((db) => db.deleteFrom("task_changes").execute());
  const beyond = await begin("", after(newest));
  await beyond.until((heard) => heard.length === 2);
  expect(eventsOf(beyond.heard)).toEqual(["reset", "snapshot"]);
});

test("a stream that is cut between reset and snapshot is reset again", async () => {
  const id = await lastId();
  await plane.addTasks([{ id: "imported" }]);
  const first = await begin("", after(id));
  await first.until((heard) => heard.length === 2);
  const again = await begin("", after(first.heard[0]?.id));
  await again.until((heard) => heard.length === 2);
  expect(eventsOf(again.heard)).toEqual(["reset", "snapshot"]);
  const beyond = await begin("", after(first.heard[1]?.id));
  await create();
  await beyond.until((heard) => heard.length > 0);
  expect(eventsOf(beyond.heard)).toEqual(["match"]);
});

test("changes are kept for ten minutes at least", async () => {
  const id = await lastId();
  await create();
  const heardAfter = async (milliseconds: number) => {
    plane.step(milliseconds);
    await plane.database.change((db) => forgetChanges(db, plane.clock.now - changesKept));
    const one = await begin("", after(id));
    await one.until((heard) => heard.length > 0);
    await one.close();
    return one.heard[0]?.event;
  };
  expect(await heardAfter(590_000)).toBe("match");
  await create();
  expect(await heardAfter(20_000)).toBe("reset");
});
