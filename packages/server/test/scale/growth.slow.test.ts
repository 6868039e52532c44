import { expect, test } from "bun:test";
import { runHoldfast, startProcess } from "../process";

const small = 10_000;
const large = 1_000_000;
const rounds = 2_000;

async function openService(tasks: number) {
  const server = await startProcess({ flags: { rate_limit: "0" } });
  expect((await runHoldfast(server.folder, ["demo", "--tasks", String(tasks)])).exitCode).toBe(0);
  const beside = await server.openBeside();
  const headers = { Authorization: `Bearer ${(await beside.serviceToken("viewer")).token}` };
  return {
    /** How many milliseconds a page takes. */
    async time(path: string): Promise<number> {
      const startedAt = performance.now();
      const response = await fetch(`${server.baseUrl}${path}`, { headers });
      await response.arrayBuffer();
      expect(response.status).toBe(200);
      return performance.now() - startedAt;
    },
    async close() {
      await server.stop();
      await beside.close();
    },
  };
}

/** The time that nearly all took. The very slowest say how busy the machine was. */
function nearlyAll(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.9)] ?? 0;
}

test("R13: a page of a million tasks takes as long as one of ten thousand, and page 10,000 as long as page 1", async () => {
  const few = await openService(small);
  const many = await openService(large);
  const times: Record<"few" | "many" | "first" | "deep", number[]> = { few: [], many: [], first: [], deep: [] };
  // One after the other in each round, so that a slow moment of the machine meets all of them.
  for (let round = 0; round < rounds; round++) {
    const page = 1 + (round % 100);
    times.few.push(await few.time(`/tasks?limit=100&start=${page}`));
    times.many.push(await many.time(`/tasks?limit=100&start=${page}`));
    times.first.push(await many.time(`/tasks?limit=${50 + (round % 50)}`));
    times.deep.push(await many.time(`/tasks?limit=${50 + (round % 50)}&start=10000`));
  }
  expect(nearlyAll(times.many) / nearlyAll(times.few)).toBeLessThan(1.5);
  expect(nearlyAll(times.deep) / nearlyAll(times.first)).toBeLessThan(2);
  await few.close();
  await many.close();
}, 900_000);
