import { afterAll, afterEach, expect, test } from "bun:test";
import { openReportingPlane } from "../reports/reporting-plane";
import { eventsOf, type Watch, watch } from "./watch";

const plane = await openReportingPlane();
const { token } = await plane.serviceToken("viewer");
const open: Watch[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});
afterAll(plane.close);

async function begin(query = "", ask = {}): Promise<Watch> {
  const one = await watch(plane, query, { token, ...ask });
  open.push(one);
  return one;
}

const create = async (body: object = {}): Promise<string> => (await plane.create(body)).body.id;
const filterOf = (filter: object) => `?filter=${encodeURIComponent(JSON.stringify(filter))}`;

test("a stream begins with how long to wait before coming back, and with what the list answers", async () => {
  await create();
  const query = `?limit=2&filter=${encodeURIComponent('{"category":"backup"}')}`;
  const one = await begin(query);
  await one.until((heard) => heard.length > 0);
  const list = await plane.ask(`/tasks${query}`, { token });
  expect(one.heard.map(({ event, data }) => [event, data])).toEqual([["snapshot", list.body]]);
  const retry = Number(/^retry: (\d+)\n\n/.exec(one.text())?.[1]);
  expect([retry >= 2000, retry <= 5000]).toEqual([true, true]);
});

test("snapshot=false begins with nothing, and then says what happens", async () => {
  const one = await begin("?snapshot=false");
  const id = await create();
  await one.until((heard) => heard.length > 0);
  expect(one.heard.map(({ event, data }) => [event, data.id])).toEqual([["match", id]]);
});

test("a new task is a match, its change is a task, and both are what reading it answers", async () => {
  const one = await begin();
  const id = await create();
  await one.until((heard) => heard.length > 1);
  expect(one.heard[1]?.data).toEqual((await plane.read(id)).body);
  await plane.update(id, { progress_percentage: 40 });
  await one.until((heard) => heard.length > 2);
  expect(one.heard[2]?.data).toEqual((await plane.read(id)).body);
  expect(eventsOf(one.heard)).toEqual(["snapshot", "match", "task"]);
  expect(Object.keys(one.heard[2]?.data)).not.toContain("lease");
});

test("what does not match any more is gone, by its id alone, and what comes to match is new", async () => {
  const id = await create({ name: "Nightly" });
  const [running, ended, others] = await Promise.all([
    begin(filterOf({ status: "in_progress" })),
    begin(filterOf({ status: { $neq: "in_progress" } })),
    begin(filterOf({ category: "restore" })),
  ]);
  await plane.update(id, { status: "completed" });
  await others.until((heard) => heard.length > 0);
  await Promise.all([running, ended].map((one) => one.until((heard) => heard.length > 1)));
  expect(running.heard.slice(1).map(({ event, data }) => [event, data])).toEqual([["gone", { id }]]);
  expect(ended.heard.slice(1).map(({ event, data }) => [event, data.id])).toEqual([["match", id]]);
  expect(eventsOf(others.heard)).toEqual(["snapshot"]);
});

test("of many changes of a task within a second one is said, and the newest never left out", async () => {
  const id = await create();
  const one = await begin();
  for (let percentage = 1; percentage <= 30; percentage++) {
    await plane.batch([
      { operation: "update", task_id: id, body: { progress_percentage: percentage, can_abort: percentage % 2 === 0 } },
    ]);
    await Bun.sleep(100);
  }
  await one.until((heard) => heard.at(-1)?.data.progress_percentage === 30);
  const times = one.heard.slice(1).map(({ at }) => at);
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(times.length).toBeGreaterThan(1);
  // Each was sent a second after the one before. A busy machine may have read the earlier one late, but not by half of that.
  expect(gaps.filter((gap) => gap < 500)).toEqual([]);
});

test("a task that came and changed at once is a match", async () => {
  const one = await begin();
  const task_id = crypto.randomUUID();
  const begun = { id: task_id, category: "backup", type: "restic_backup", sequence: 1 };
  // In one request, because a slow machine could say the first before it knows of the second.
  const { body } = await plane.batch([
    { operation: "create", task_id, body: begun },
    { operation: "update", task_id, body: { status: "completed", sequence: 2 } },
  ]);
  expect(body.results.map(({ status }: { status: number }) => status)).toEqual([201, 200]);
  await one.until((heard) => heard.length > 1);
  expect(one.heard.slice(1).map(({ event, data }) => [event, data.status])).toEqual([["match", "completed"]]);
});

test("the first piece of a log is a change, and the pieces after it are none", async () => {
  const id = await create();
  const one = await begin();
  const append = (offset: number) =>
    plane.ask(`/tasks/${id}/log`, { method: "POST", token: plane.runner, body: { offset, text: "x" } });
  await append(0);
  await one.until((heard) => heard.length > 1);
  await append(1);
  await Bun.sleep(1_500);
  expect(one.heard.slice(1).map(({ event, data }) => [event, "log" in data._links])).toEqual([["task", true]]);
});

test("a stream of a unit has what is in it and below it, and nothing else", async () => {
  const north = await plane.addUnit("North");
  const [quay, south] = [await plane.addUnit("Quay", north), await plane.addUnit("South")];
  const [ofNorth, ofRoot] = await Promise.all([begin("", { unit: north }), begin()]);
  const ids = [];
  for (const organizational_unit_id of [north, quay, south]) ids.push(await create({ organizational_unit_id }));
  await Promise.all([ofRoot.until((heard) => heard.length > 3), ofNorth.until((heard) => heard.length > 2)]);
  expect(ofNorth.heard.slice(1).map(({ data }) => data.id)).toEqual(ids.slice(0, 2));
  expect(ofNorth.text()).not.toContain(ids[2] ?? "");
});

test("T33: an import, a moved unit and one that is emptied into another make every stream begin again", async () => {
  const { token: owner } = await plane.serviceToken("owner");
  const [from, to] = [await plane.addUnit("From"), await plane.addUnit("To")];
  const id = await create({ organizational_unit_id: from });
  const one = await begin("", { unit: to });
  const resets = async (count: number) => {
    await one.until((heard) => heard.filter(({ event }) => event === "reset").length === count);
    await one.until((heard) => heard.at(-1)?.event === "snapshot");
    return one.heard.at(-1)?.data._embedded.items.map((item: { id: string }) => item.id);
  };
  await plane.addTasks([{ organizational_unit_id: to, id: "imported" }]);
  expect(await resets(1)).toEqual(["imported"]);
  const moved = await plane.ask(`/organizational-units/${from}`, {
    method: "PATCH",
    token: owner,
    body: { parent_id: to },
  });
  expect([moved.status, (await resets(2)).sort()]).toEqual([200, [id, "imported"].sort()]);
  const inner = await plane.ask(`/organizational-units/${from}?move_to=${to}`, { method: "DELETE", token: owner });
  expect([inner.status, (await resets(3)).sort()]).toEqual([204, [id, "imported"].sort()]);
  expect(one.heard.filter(({ event }) => event === "reset").map(({ data }) => data)).toEqual([{}, {}, {}]);
});

test("what retention removes is not mentioned", async () => {
  const id = await create();
  const one = await begin();
  await plane.database.change((db) => db.deleteFrom("tasks").where("id", "=", id).execute());
  await create();
  await one.until((heard) => heard.length > 1);
  expect(eventsOf(one.heard)).toEqual(["snapshot", "match"]);
});
