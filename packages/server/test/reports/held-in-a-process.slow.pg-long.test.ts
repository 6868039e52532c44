import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import type { Plane } from "../harness";
import { startProcess } from "../process";
import { timeLimit } from "../runs";
import { leaseShown } from "./shapes";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function start() {
  const server = await startProcess();
  folders.push(server.folder);
  const beside: Plane = await server.openBeside();
  const { token } = await beside.serviceToken("reporter");
  const body = { category: "backup", type: "restic_backup", lease_seconds: 600, can_abort: true };
  const { id } = (await server.ask("/tasks", { method: "POST", token, body })).body;
  const hold = async (wait_seconds: number) => {
    const startedAt = performance.now();
    const answer = await server.ask(`/tasks/${id}`, { method: "PATCH", token, body: { wait_seconds } });
    return { ...answer, seconds: (performance.now() - startedAt) / 1000 };
  };
  return { server, beside, id, hold };
}

/** Number of times that a sign of life of a task was written down. */
async function renewals({ database }: Plane, id: string): Promise<number> {
  const row = await database.snapshot((db) =>
    db.selectFrom("task_leases").select("renewals").where("task_id", "=", id).executeTakeFirstOrThrow(),
  );
  return row.renewals;
}

test("a heartbeat is held for longer than a connection may be idle", async () => {
  const { server, beside, id, hold } = await start();
  const { status, body, seconds } = await hold(13);
  const lease = leaseShown({ expires_in_seconds: 600 });
  expect([status, body]).toEqual([200, { id, status: "in_progress", lease }]);
  expect(seconds).toBeGreaterThan(12.9);
  await beside.close();
  await server.stop();
}, 120_000);

test("a server that stops answers what it holds at once, and ends", async () => {
  const { server, beside, id, hold } = await start();
  const held = [hold(30), hold(30), hold(30)];
  // They were sent together, so the others are there soon after the first one was heard.
  while ((await renewals(beside, id)) < 2) await Bun.sleep(50);
  await Bun.sleep(1_000);
  const stoppedAt = performance.now();
  const stopped = server.stop("SIGTERM");
  const answers = await Promise.all(held);
  expect((performance.now() - stoppedAt) / 1000).toBeLessThan(timeLimit(2));
  const lease = leaseShown({ expires_in_seconds: 600 });
  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    Array.from({ length: 3 }, () => [200, { id, status: "in_progress", lease }]),
  );
  expect(await stopped).toBe(0);
  // Signs of life until then are written down.
  expect(await renewals(beside, id)).toBeGreaterThan(1);
  await beside.close();
}, 120_000);
