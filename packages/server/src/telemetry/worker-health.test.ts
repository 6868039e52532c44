import { expect, test } from "bun:test";
import { createLog } from "./log";
import { createWorkerHealth } from "./worker-health";

function openHealth() {
  const clock = { now: 0 };
  const lines: string[] = [];
  const output = { write: (text: string) => lines.push(text), isTerminal: false };
  const log = createLog({ level: "info", output, clock: () => 0 });
  const health = createWorkerHealth({ log, monotonic: () => clock.now });
  const pass = (seconds: number) => {
    for (let left = seconds; left > 0; left -= 5) {
      clock.now += 5_000;
      health.look();
    }
  };
  const logged = () => {
    log.flush();
    return lines.flatMap((text) => text.trim().split("\n")).map((line) => JSON.parse(line).message);
  };
  return { clock, health, pass, logged };
}

test("a worker that does not run in time stands still, which is logged once, and so is that it runs again", () => {
  const { health, pass, logged } = openHealth();
  const sweep = health.begin("lease_sweep", 60_000);
  const maintenance = health.begin("maintenance", 3_600_000);
  pass(60);
  expect(health.standingStill()).toEqual([]);
  pass(600);
  expect(health.standingStill()).toEqual(["lease_sweep"]);
  sweep.ran();
  expect(health.standingStill()).toEqual([]);
  pass(60);
  expect(logged()).toEqual(["A worker stands still.", "A worker runs again."]);
  sweep.stop();
  maintenance.stop();
});

test("a worker that was stopped does not stand still, and nor do those of a process that was held up", () => {
  const { clock, health, pass, logged } = openHealth();
  const sweep = health.begin("lease_sweep", 60_000);
  clock.now += 600_000;
  health.look();
  expect(health.standingStill()).toEqual([]);
  pass(5);
  expect(health.standingStill()).toEqual(["lease_sweep"]);
  sweep.stop();
  pass(60);
  expect(health.standingStill()).toEqual([]);
  expect(logged()).toEqual(["A worker stands still."]);
});
