import { expect, test } from "bun:test";
import { runQueue } from "./run-queue";

/** Runs jobs that end when the test says so, and writes down what begins and ends. */
function openQueue(
  jobs: readonly { name: string; seconds: number; isAlone: boolean; mostlyWaits: boolean }[],
  workers: number,
) {
  const running = new Map<string, () => void>();
  const begun: string[] = [];
  const done = runQueue(jobs, {
    workers,
    waiters: 1,
    run: ({ name }) => {
      begun.push(name);
      return new Promise<string>((resolve) => running.set(name, () => resolve(name)));
    },
  });
  return {
    done,
    begun,
    async end(name: string) {
      running.get(name)?.();
      running.delete(name);
      await Bun.sleep(1);
      return [...running.keys()];
    },
  };
}

const job = (name: string, seconds: number, isAlone = false) => ({ name, seconds, isAlone, mostlyWaits: false });
const waiting = (name: string, seconds: number) => ({ name, seconds, isAlone: false, mostlyWaits: true });

test("the longest begin first, as many at once as there are workers, and each that ends makes room for the next", async () => {
  const queue = openQueue([job("short", 1), job("long", 9), job("middle", 5), job("shortest", 0)], 2);
  expect(queue.begun).toEqual(["long", "middle"]);
  expect(await queue.end("middle")).toEqual(["long", "short"]);
  expect(await queue.end("short")).toEqual(["long", "shortest"]);
  expect(await queue.end("shortest")).toEqual(["long"]);
  expect(await queue.end("long")).toEqual([]);
  expect(await queue.done).toEqual(["middle", "short", "shortest", "long"]);
});

test("what runs alone begins when nothing else runs any more, one by one", async () => {
  const queue = openQueue([job("alone", 99, true), job("a", 2), job("b", 1), job("also alone", 100, true)], 2);
  expect(queue.begun).toEqual(["a", "b"]);
  expect(await queue.end("a")).toEqual(["b"]);
  expect(await queue.end("b")).toEqual(["also alone"]);
  expect(await queue.end("also alone")).toEqual(["alone"]);
  expect(await queue.end("alone")).toEqual([]);
  expect(await queue.done).toEqual(["a", "b", "also alone", "alone"]);
});

test("what mostly waits takes no place of what works, has places of its own, and keeps what runs alone from beginning", async () => {
  const queue = openQueue([waiting("nap", 1), job("a", 3), waiting("sleep", 9), job("b", 2), job("alone", 5, true)], 1);
  expect(queue.begun).toEqual(["a", "sleep"]);
  expect(await queue.end("a")).toEqual(["sleep", "b"]);
  expect(await queue.end("b")).toEqual(["sleep"]);
  expect(await queue.end("sleep")).toEqual(["nap"]);
  expect(await queue.end("nap")).toEqual(["alone"]);
  expect(await queue.end("alone")).toEqual([]);
  expect(await queue.done).toEqual(["a", "b", "sleep", "nap", "alone"]);
});
