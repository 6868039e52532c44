import { expect, test } from "bun:test";
import { createAdmission } from "../../src/http/admission";
import { createApp } from "../../src/http/app";
import { openPlane, readAnswer } from "../harness";
import { until } from "../until";

const task = { category: "backup", type: "restic_backup" };

test("R14: in a service that has too much to do lists are refused before reports, and what was taken is done", async () => {
  const plane = await openPlane();
  const { token } = await plane.serviceToken("owner");
  const admission = createAdmission({ inFlight: 4, moreReports: 4 });
  const app = createApp({ ...plane.service, admission });
  const send = async (path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const { status, headers: answered } = await readAnswer(
      await app.request(`http://localhost${path}`, init, { peer: "" }),
    );
    return [status, answered.get("retry-after")];
  };
  const report = () => send("/tasks", task);
  /** Waits until so many are being answered, all of which have got their bodies: while they wait for those they do not count. */
  const untilAnswering = async (count: number) => {
    await Bun.sleep(20);
    await until(`${count} are being answered`, () => admission.inFlight() === count && admission.pendingBodies() === 0);
  };
  expect(await send("/tasks")).toEqual([200, null]);
  // Another change that takes its time: reports pile up behind it.
  const gate = Promise.withResolvers<void>();
  const changing = plane.database.change(() => gate.promise);
  const first = Array.from({ length: 4 }, report);
  await untilAnswering(4);
  expect(await send("/tasks")).toEqual([503, "1"]);
  const more = Array.from({ length: 4 }, report);
  await untilAnswering(8);
  expect(await report()).toEqual([503, "1"]);
  expect((await send("/healthz"))[0]).toBe(200);
  gate.resolve();
  await changing;
  const taken = await Promise.all([...first, ...more]);
  expect(taken.map(([status]) => status)).toEqual(taken.map(() => 201));
  expect(await send("/tasks")).toEqual([200, null]);
  expect((await plane.ask("/tasks?limit=1", { token })).body.total_count).toBe(8);
  await plane.close();
}, 120_000);

test("R14: what is refused in an overload has all that an answer has, and no line in the log of its own", async () => {
  const metricsToken = "m".repeat(40);
  const plane = await openPlane({ metrics_token: metricsToken });
  const { token } = await plane.serviceToken("owner");
  const lines: string[] = [];
  const log = { ...plane.service.log, debug: (line: string) => void lines.push(line) };
  const app = createApp({ ...plane.service, log, admission: createAdmission({ inFlight: 0 }) });
  const ask = async (method: string, path: string) => {
    const headers = { Authorization: `Bearer ${token}` };
    return readAnswer(await app.request(`http://localhost${path}`, { method, headers }, { peer: "" }));
  };
  const answered = await plane.ask("/tasks/there-is-none", { token });
  const named = ({ headers }: { headers: Headers }) => [...headers.keys()].filter((name) => !/^ratelimit/.test(name));
  const common = named(answered).filter((name) => name !== "content-length");
  for (const path of ["/tasks", "/tasks/018c05ec-1ebc-7000-ba36-25c279dcead8", "/nothing-there"]) {
    const refused = await ask("GET", path);
    expect(refused.status).toBe(503);
    expect(refused.body).toEqual({
      errors: [{ error_code: 50302, error_message: expect.stringContaining("Try again") }],
    });
    expect(named(refused).sort()).toEqual([...common, "retry-after"].sort());
    expect(refused.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    const head = await ask("HEAD", path);
    expect([head.status, head.headers.get("content-length")]).toEqual([503, String(refused.text.length)]);
  }
  expect(lines).toEqual([]);
  expect((await ask("GET", "/healthz")).status).toBe(200);
  expect(lines).toEqual(["request"]);
  const seen = await plane.ask("/metrics", { token: metricsToken });
  expect(seen.text).toMatch(/holdfast_requests_total\{operation="list-tasks",status="503"\} 2\n/);
  await plane.close();
});

test("R15: a runner that reports ten times as often as it may leaves the reports of all others unharmed", async () => {
  const perSecond = 20;
  const plane = await openPlane({ rate_limit: String(perSecond) });
  const { token: noisy } = await plane.serviceToken("reporter");
  const others = await Promise.all(Array.from({ length: 20 }, () => plane.serviceToken("reporter")));
  const create = async (token: string) => plane.ask("/tasks", { method: "POST", token, body: task });
  const flood = Array.from({ length: 10 * perSecond }, () => create(noisy));
  const quiet = others.map(async ({ token }) => {
    const created = await create(token);
    const path = `/tasks/${created.body.id}`;
    const updates = [{ sequence: 1, progress_percentage: 50 }, {}, { sequence: 2, status: "completed" }];
    const statuses = [created.status];
    for (const body of updates) statuses.push((await plane.ask(path, { method: "PATCH", token, body })).status);
    return statuses.join(" ");
  });
  expect(new Set(await Promise.all(quiet))).toEqual(new Set(["201 200 200 200"]));
  const refused = (await Promise.all(flood)).filter(({ status }) => status !== 201);
  expect(refused.length).toBeGreaterThan(5 * perSecond);
  expect(new Set(refused.map(({ status, headers }) => `${status} ${headers.get("retry-after")}`))).toEqual(
    new Set(["429 1"]),
  );
  const completed = await plane.database.snapshot((db) =>
    db.selectFrom("tasks").select("id").where("status", "=", "completed").execute(),
  );
  expect(completed).toHaveLength(20);
  await plane.close();
}, 120_000);
