import { expect, test } from "bun:test";
import { DatabaseBroken, DatabaseUnavailable } from "../database/errors";
import { createLog } from "../telemetry/log";
import { createWorkerHealth } from "../telemetry/worker-health";
import { type PeriodicWork, startPeriodicWorker } from "./periodic-worker";

function openWorker(run: PeriodicWork["run"], intervalMs = 1_000_000) {
  const lines: string[] = [];
  const broken: Error[] = [];
  let now = 0;
  const output = { write: (text: string) => lines.push(text), isTerminal: false };
  const log = createLog({ level: "info", output, clock: () => 0 });
  const workers = createWorkerHealth({ log, monotonic: () => now });
  const worker = startPeriodicWorker(
    { log, workers, onBroken: (error) => broken.push(error) },
    { name: "reminders", intervalMs, maxSilenceMs: 10_000, failure: "It failed.", run },
  );
  const logged = () => {
    log.flush();
    return lines.flatMap((text) => text.trim().split("\n")).map((line) => JSON.parse(line).message);
  };
  const standingStill = () => {
    now += 11_000;
    workers.look();
    return workers.standingStill();
  };
  return { ...worker, broken, logged, standingStill };
}

const succeed = () => Promise.resolve();
const fail = (error: Error) => () => Promise.reject(error);
/** Work that does one thing after the other, then nothing. */
const inOrder = (runs: (() => Promise<void>)[]) => () => (runs.shift() ?? succeed)();

test("a failure is logged once until a run succeeds", async () => {
  const failing = fail(new Error("no"));
  const worker = openWorker(inOrder([failing, failing, succeed, failing]));
  for (let run = 0; run < 4; run++) await worker.run();
  expect(worker.logged()).toEqual(["It failed.", "It failed."]);
  await worker.stop();
});

test("a worker that fails stands still, unless only the database is unavailable", async () => {
  const worker = openWorker(inOrder([fail(new DatabaseUnavailable("away")), fail(new Error("no"))]));
  worker.standingStill();
  await worker.run();
  expect(worker.logged()).toEqual(["A worker stands still.", "A worker runs again."]);
  expect(worker.standingStill()).toEqual(["reminders"]);
  await worker.run();
  expect(worker.standingStill()).toEqual(["reminders"]);
  await worker.stop();
});

test("a broken database is passed on", async () => {
  const error = new DatabaseBroken("broken");
  const worker = openWorker(fail(error));
  await worker.run();
  expect(worker.broken).toEqual([error]);
  await worker.stop();
});

test("runs never overlap, and stopping waits for the last one", async () => {
  let active = 0;
  let runs = 0;
  const overlaps: number[] = [];
  const worker = openWorker(async () => {
    overlaps.push(active++);
    await Bun.sleep(5);
    active--;
    runs++;
  }, 1);
  await Promise.all([worker.run(), worker.run(), worker.run()]);
  await Bun.sleep(30);
  await worker.stop();
  expect(active).toBe(0);
  expect(Math.max(...overlaps)).toBe(0);
  const stoppedAfter = runs;
  expect(stoppedAfter).toBeGreaterThan(3);
  await Bun.sleep(20);
  expect(runs).toBe(stoppedAfter);
});
