import { afterEach, beforeEach, expect, test } from "bun:test";
import { auditEvents } from "../../test/access/people";
import { openPlane, type Plane } from "../../test/harness";
import { DatabaseUnavailable } from "../database/errors";
import { startMaintenance } from "./maintenance";

let plane: Plane;
let token: string;

beforeEach(async () => {
  plane = await openPlane();
  token = (await plane.serviceToken("viewer")).token;
});
afterEach(() => plane.close());

const start = (days: number, database = plane.database) =>
  startMaintenance({
    ...plane.service,
    database,
    days,
    logDays: { success: 0, others: 0 },
    clock: () => plane.clock.now,
    firstWithin: 0,
  });

/** Messages of the log, requests aside. */
const messages = () => {
  plane.service.log.flush();
  const lines = plane.logged.join("").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line)).filter(({ message }) => message !== "request");
};

async function until(isSo: () => Promise<boolean> | boolean) {
  for (const deadline = performance.now() + 60_000; !(await isSo()) && performance.now() < deadline; )
    await Bun.sleep(10);
}

const total = async () => (await plane.ask("/tasks", { token })).body.total_count;

test("tasks are removed soon after the start, and the log tells how many and of which month", async () => {
  await plane.addTasks([
    { created_timestamp: "2026-08-01T00:00:00.000Z" },
    { created_timestamp: "2026-08-31T00:00:00.000Z" },
    { created_timestamp: "2026-09-01T00:00:00.000Z", status: "queued", outcome: null },
    { created_timestamp: "2026-11-01T00:00:00.000Z" },
  ]);
  const maintenance = start(30);
  await until(async () => (await total()) === 2 && messages().length > 1);
  await maintenance.stop();
  expect(messages().map(({ level, message, detail }) => ({ level, message, detail }))).toEqual([
    {
      level: "info",
      message: "Tasks were removed that are older than task_retention_days.",
      detail: "2 tasks of 2026-08",
    },
    {
      level: "info",
      message: "A month is older than task_retention_days, but kept until all of its tasks are finished.",
      detail: "1 tasks of 2026-09 are not finished",
    },
  ]);
  expect(await auditEvents(plane)).toMatchObject([
    {
      actor: { kind: "system", user_id: null, token_id: null, address: null },
      operation: "prune-tasks",
      result: "done",
      before: { month: "2026-08", tasks: 2 },
      after: { older_than_days: 30 },
    },
  ]);
});

test("0 days keep tasks for good", async () => {
  await plane.addTasks([{ created_timestamp: "2001-01-01T00:00:00.000Z" }]);
  const maintenance = start(0);
  await Bun.sleep(300);
  await maintenance.stop();
  expect([await total(), messages()]).toEqual([1, []]);
});

test("a token that expires soon is named in the log, once", async () => {
  const { id } = await plane.serviceToken("reporter", undefined, 30 * 86_400_000);
  plane.clock.now += 24 * 86_400_000;
  const first = start(0);
  await until(() => messages().length > 0);
  await first.stop();
  const second = start(0);
  await Bun.sleep(300);
  await second.stop();
  expect(messages()).toMatchObject([
    {
      level: "warn",
      message: "A token expires soon. Renew it with holdfast token renew, or revoke it if nothing uses it any more.",
      detail: `reporter token (${id}), in 6 days`,
    },
  ]);
});

test("each failure is told with what could not be done, and ends nothing", async () => {
  const fail = () => Promise.reject(new Error("no room on the disk"));
  const maintenance = start(30, { ...plane.database, snapshot: fail, change: fail });
  await until(() => messages().length > 5);
  await maintenance.stop();
  const error = "no room on the disk";
  expect(messages()).toMatchObject([
    {
      level: "warn",
      message: "Tokens that expire soon could not be announced. It is tried again in an hour.",
      error,
    },
    { level: "warn", message: "Old logs could not be removed. It is tried again in an hour.", error },
    { level: "warn", message: "Old tasks could not be removed. It is tried again in an hour.", error },
    {
      level: "warn",
      message: "Leases of tasks that ended long ago could not be removed. It is tried again in an hour.",
      error,
    },
    {
      level: "warn",
      message: "Old deliveries of webhooks could not be removed. It is tried again in an hour.",
      error,
    },
    {
      level: "warn",
      message: "The statistics of the tasks could not be refreshed. It is tried again in an hour.",
      error,
    },
  ]);
});

test("a database that is away is asked again in a minute", async () => {
  const fail = () => Promise.reject(new DatabaseUnavailable("The database does not answer."));
  const maintenance = start(0, { ...plane.database, snapshot: fail, change: fail });
  await until(() => messages().length > 0);
  await maintenance.stop();
  expect(messages()).toMatchObject([
    {
      level: "warn",
      message: "Tokens that expire soon could not be announced. It is tried again in a minute.",
      error: "The database does not answer.",
    },
  ]);
});
