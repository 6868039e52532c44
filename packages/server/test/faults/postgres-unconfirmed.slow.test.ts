import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Cluster, startCluster } from "../postgres-cluster";
import { timeLimit } from "../runs";
import { until } from "../until";
import { type ServedDatabase, serveFrom } from "./serve-from";

let cluster: Cluster;
let served: ServedDatabase;
let reporter: string;
let url: string;

beforeAll(async () => {
  cluster = await startCluster();
  url = await cluster.createDatabase();
  served = await serveFrom(url, { log_level: "info" });
  const beside = await served.openBeside();
  ({ token: reporter } = await beside.serviceToken("reporter"));
  await beside.database.close();
});

afterAll(async () => {
  await served.stop();
  await cluster.remove();
});

/** Lets commits wait for a standby, or no longer. */
async function setStandby(name: string): Promise<void> {
  await cluster.query(`alter system set synchronous_standby_names = '${name}'`);
  await cluster.query("select pg_reload_conf()");
}

/** Reports a new task, and gives what came of it. */
async function report(id: string | undefined) {
  const startedAt = performance.now();
  const { status, headers } = await served.server.ask("/tasks", {
    method: "POST",
    token: reporter,
    body: { id, category: "backup", type: "tests_backup", status: "in_progress", sequence: 1 },
  });
  return { status, retryAfter: headers.get("retry-after"), isInTime: performance.now() - startedAt < timeLimit(2_000) };
}

const [before, first, second, third, fourth, fifth, cancelled] = Array.from({ length: 7 }, () => crypto.randomUUID());
const taken = { status: 201, retryAfter: null, isInTime: true };
const refused = { status: 503, retryAfter: "1", isInTime: true };
const known = async () => {
  const { body } = await served.server.ask("/tasks?limit=1000", { token: served.token });
  return body._embedded.items.map(({ id }: { id: string }) => id);
};

test("R7, R8: while no standby confirms commits, changes get 503 in time, reads succeed, and all is well once one does", async () => {
  expect(await report(before)).toEqual(taken);
  await setStandby("away");
  const waiting = "select from pg_stat_activity where wait_event = 'SyncRep'";
  const begun = report(first);
  await until("a commit waits", async () => (await cluster.query(waiting)).length > 0);
  expect(await Promise.all([begun, report(second), report(third)])).toEqual([refused, refused, refused]);
  expect(await report(fourth)).toEqual(refused);
  expect((await served.server.ask("/readyz")).status).toBe(200);
  expect(await known()).toContain(before);
  await setStandby("");
  await until("changes succeed", async () => (await report(fifth)).status !== 503);
  expect(await known()).not.toContain(fourth);
  const again = await Promise.all([first, second, third, fourth].map(report));
  expect(again.map(({ status }) => status < 300)).toEqual([true, true, true, true]);
  expect(served.server.printed()).toContain("The database confirms commits again.");
}, 60_000);

test("R7: a commit whose wait for the standby is cancelled is not acknowledged", async () => {
  await setStandby("away");
  let isAnswered = false;
  const answer = report(cancelled).finally(() => {
    isAnswered = true;
  });
  const cancel = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";
  // The service also writes by itself, so all that waits is cancelled.
  await until("the report was answered", async () => (await cluster.query(cancel)).length >= 0 && isAnswered);
  expect(await answer).toEqual(refused);
  expect(served.server.printed()).toContain("The wait for the synchronous standby was cancelled.");
  expect(await known()).toContain(cancelled);
  await setStandby("");
  await until("changes succeed", async () => (await report(cancelled)).status === 200);
}, 60_000);
