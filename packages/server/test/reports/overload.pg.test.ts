import { afterAll, expect, test } from "bun:test";
import { DatabaseUnavailable } from "../../src/database/errors";
import { createApp } from "../../src/http/app";
import { openPlane, readAnswer } from "../harness";
import { refusal, uuid } from "./shapes";

const plane = await openPlane({ rate_limit: "10" });
afterAll(plane.close);
const { token } = await plane.serviceToken("reporter");
const newTask = (number: number) => ({ id: uuid(number), category: "backup", type: "restic_backup" });

test("a batch is one request for the rate limit, and too many are refused", async () => {
  const reports = Array.from({ length: 100 }, (_, at) => ({
    operation: "create",
    task_id: uuid(at),
    body: newTask(at),
  }));
  const ask = { method: "POST", token, body: { reports } };
  const left = async () =>
    Number((await plane.ask("/task-reports", ask)).headers.get("ratelimit")?.match(/r=(\d+)/)?.[1]);
  const [first, second] = [await left(), await left()];
  expect(first - second).toBeLessThanOrEqual(1);
  const empty = { ...ask, body: { reports: [] } };
  const answers = await Promise.all(Array.from({ length: 200 }, () => plane.ask("/task-reports", empty)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refusal(refused[0] ?? { status: 0, body: {} })).toEqual([429, 42901]);
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("while the database is away every report is refused with 503 and when to try again, and none is written", async () => {
  const away = () => Promise.reject(new DatabaseUnavailable("The database does not answer."));
  const service = { ...plane.service, database: { ...plane.database, change: away }, limitRate: () => ({}) };
  const app = createApp(service);
  const send = async (method: string, path: string, body: object) => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    return readAnswer(await app.request(`http://localhost${path}`, { method, headers, body: JSON.stringify(body) }));
  };
  const answers = [
    await send("POST", "/tasks", newTask(1_000)),
    await send("PATCH", `/tasks/${uuid(1)}`, { progress_percentage: 5 }),
    await send("POST", "/task-reports", {
      reports: [{ operation: "create", task_id: uuid(1_000), body: newTask(1_000) }],
    }),
  ];
  for (const answer of answers) {
    expect(refusal(answer)).toEqual([503, 50301]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  const stored = await plane.database.snapshot((db) =>
    db.selectFrom("tasks").select("id").where("id", "=", uuid(1_000)).execute(),
  );
  expect(stored).toEqual([]);
});
