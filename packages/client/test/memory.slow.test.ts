import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type RunningHoldfast, startHoldfast } from "./start-holdfast";

/** A walk over more of them takes longer, and no more memory. */
const tasks = process.env.HOLDFAST_TEST_LONG === "1" ? 1_000_000 : 20_000;
const maxGrowth = 6 * 1024 * 1024;

let holdfast: RunningHoldfast;

beforeAll(async () => {
  holdfast = await startHoldfast({ tasks });
}, 600_000);

afterAll(() => holdfast.stop());

/** Walks over all tasks in a process of its own, and measures what is in use after a tenth and at the end. */
const walk = `
import { heapStats } from "bun:jsc";
import { connect } from ${JSON.stringify(join(import.meta.dir, "../src/index.ts"))};
const [token, total] = process.argv.slice(1);
const used = () => { Bun.gc(true); return heapStats().heapSize; };
const stop = new AbortController();
let walked = 0, before = 0;
for await (const task of connect({ token }).tasks.list({ limit: 500, signal: stop.signal })) {
  walked += 1;
  if (walked === Number(total) / 10) before = used();
}
console.log(JSON.stringify({ walked, growth: used() - before }));`;

test(`a walk over ${tasks} tasks takes no more memory than a short one`, async () => {
  const child = Bun.spawn([process.execPath, "-e", walk, holdfast.place.token, String(tasks)], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const { walked, growth } = JSON.parse(await child.stdout.text());
  expect(walked).toBe(tasks);
  expect(growth).toBeLessThan(maxGrowth);
}, 600_000);
