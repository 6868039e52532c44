import { expect, test } from "bun:test";
import { type Answered, root, walk } from "../harness";
import { createDice } from "../random";
import { recountTasks } from "../recount";
import { openReportingPlane } from "../reports/reporting-plane";

const hour = 3_600_000;
const day = 24 * hour;
const steps = [hour, -hour, day, -day];

test("R19: clock steps of an hour and a day while runners report lose no task, put no times in the wrong order, and no task in two places", async () => {
  const plane = await openReportingPlane();
  // Tokens that no step makes too young or too old.
  plane.step(-10 * day);
  const { token } = await plane.serviceToken("reporter", root, 60 * day);
  const { token: viewer } = await plane.serviceToken("viewer", root, 60 * day);
  plane.step(10 * day);
  const dice = createDice(19);
  const living: string[] = [];
  const answers = new Set<string>();
  /** Notes what was answered: a status, and of a refusal all that it says. */
  const note = ({ status, text }: Answered) => answers.add(status < 300 ? String(status) : text);
  let ended = 0;
  for (let turn = 0; turn < 60; turn += 1) {
    plane.step(steps[dice(steps.length)] ?? 0);
    const id = crypto.randomUUID();
    const status = turn % 3 === 0 ? { status: "queued" } : { age_ms: dice(7 * day) };
    note(await plane.create({ id, lease_seconds: 30, sequence: 1, ...status }, { token }));
    plane.step(steps[dice(steps.length)] ?? 0);
    const begin = { status: "in_progress", sequence: 2, ...(turn % 3 === 0 ? { claim_id: crypto.randomUUID() } : {}) };
    note(await plane.update(id, { ...begin, age_ms: dice(hour) }, { token }));
    living.push(id);
    // Each is heard of every five seconds.
    for (const one of living) note(await plane.update(one, {}, { token }));
    await plane.pass(5);
    const ending = living[dice(living.length)] ?? id;
    living.splice(living.indexOf(ending), 1);
    plane.step(steps[dice(steps.length)] ?? 0);
    const end = { status: "completed", sequence: 9, age_ms: dice(2 * day) };
    note(await plane.update(ending, end, { token }));
    ended += 1;
  }
  expect([...answers].sort()).toEqual(["200", "201"]);
  const tasks = await walk(plane, "/tasks?limit=7", { token: viewer });
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(60);
  expect(tasks).toHaveLength(60);
  const created = tasks.map((task) => task.created_timestamp);
  expect(created).toEqual(created.toSorted().reverse());
  const outcomes = tasks.map(({ outcome, revised_timestamp }) => `${outcome} ${revised_timestamp}`).sort();
  const expected = [...Array(60 - ended).fill("null undefined"), ...Array(ended).fill("success undefined")];
  expect(outcomes).toEqual(expected);
  const inverted = tasks.filter(
    ({ created_timestamp, start_timestamp, end_timestamp }) =>
      created_timestamp > start_timestamp || start_timestamp > (end_timestamp ?? "9999"),
  );
  expect(inverted).toEqual([]);
  const { kept, counted } = await plane.database.snapshot(recountTasks);
  expect(kept).toEqual(counted);
  await plane.close();
}, 120_000);
