import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Plane } from "../harness";
import { runHoldfast, type ServerProcess, startProcess } from "../process";
import { size, timeLimit } from "../runs";
import { anyPages, askInOpenLoop, type LoopAnswer, measureCapacity, percentile } from "./open-loop";

const tasks = size({ default: 10_000, long: 100_000 });
const seconds = size({ default: 2, long: 60 });
/** Factor by which the load exceeds the capacity. In a default run the capacity may have been measured beside others, as too small. */
const times = size({ default: 6, long: 3 });
/** Which part of what it can do the service still does. Others need the processor in a default run, and the clients always. */
const minGoodput = size({ default: 30, long: 80 });

/** In milliseconds. In a default run, others need the processor. */
const maxAnswerMs = size({ default: Number.POSITIVE_INFINITY, long: 250 });
const maxRefusalMs = size({ default: Number.POSITIVE_INFINITY, long: 20 });
/** Maximum growth of the memory. In a default run it has just started and is still growing. */
const maxGrowth = size({ default: Number.POSITIVE_INFINITY, long: 1.2 });

let server: ServerProcess;
let beside: Plane;
let token: string;

beforeAll(async () => {
  server = await startProcess({ flags: { rate_limit: "0" } });
  expect((await runHoldfast(server.folder, ["demo", "--tasks", String(tasks)])).exitCode).toBe(0);
  beside = await server.openBeside();
  token = (await beside.serviceToken("viewer")).token;
}, 600_000);
afterAll(async () => {
  await server.stop();
  await beside.close();
});

const asking = () => ({ url: server.baseUrl, token, paths: anyPages(tasks), seconds });

function residentMemory(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]);
}

const isDone = ({ status }: LoopAnswer) => status === 200;

test("R14: asked for several times what it can do, a service does nearly as much as it can, quickly, and refuses the rest", async () => {
  // The first second is slower: the engine has not compiled everything yet.
  await measureCapacity({ ...asking(), seconds: 1 });
  const canBeDone = () => measureCapacity({ ...asking(), seconds: Math.min(seconds, 10) });
  const before = await canBeDone();
  const memory = residentMemory();
  const answers = await askInOpenLoop({ ...asking(), perSecond: times * before });
  const memoryAfter = residentMemory();
  // It is as before within five seconds.
  const startedAt = performance.now();
  const oneByOne = () => askInOpenLoop({ ...asking(), perSecond: 20, seconds: 1 });
  while (!(await oneByOne()).every(isDone)) expect(performance.now() - startedAt).toBeLessThan(timeLimit(5_000));
  // Twice, because a shared machine may have become slower or faster meanwhile.
  const capacity = (before + (await canBeDone())) / 2;
  const done = answers.filter(isDone);
  const refused = answers.filter((answer) => !isDone(answer));
  const goodput = (100 * done.length) / seconds / capacity;
  process.stdout.write(
    `${capacity.toFixed(0)} a second can be done. Of ${times} times that ${goodput.toFixed(1)} % of it were done, ` +
      `99 of 100 within ${percentile(done, 0.99).toFixed(0)} ms; ${refused.length} were refused, half of them within ` +
      `${percentile(refused, 0.5).toFixed(0)} ms, 99 of 100 within ${percentile(refused, 0.99).toFixed(0)} ms\n`,
  );
  // Without a place for all of them, the last would wait for seconds.
  expect(percentile(done, 0.99)).toBeLessThan(maxAnswerMs);
  // The row says 20 ms, where 1,500 can be done a second. On a slower machine as many answers take longer.
  expect(percentile(refused, 0.99)).toBeLessThan(maxRefusalMs * Math.max(1, 1_500 / capacity));
  expect(goodput).toBeGreaterThan(minGoodput);
  expect(new Set(refused.map(({ status, saysWhenToRetry }) => `${status} ${saysWhenToRetry}`))).toEqual(
    new Set(["429 true"]),
  );
  expect(memoryAfter).toBeLessThan(maxGrowth * memory);
}, 600_000);
