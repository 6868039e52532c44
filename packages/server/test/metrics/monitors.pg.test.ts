import { afterEach, expect, test } from "bun:test";
import { openPlane, type Plane } from "../harness";

let plane: Plane;
afterEach(() => plane.close());

const bearer = { Authorization: "Bearer a token for metrics only" };
const metricsToken = { metrics_token: "a token for metrics only" };

async function openWith(settings: Record<string, string>, monitors: number) {
  plane = await openPlane(settings);
  const { token } = await plane.serviceToken("admin");
  const ids: string[] = [];
  for (let number = 1; number <= monitors; number++) {
    const body = { name: `Job ${number}`, schedule: { period_seconds: 3_600 } };
    ids.push((await plane.ask("/monitors", { method: "POST", token, body })).body.id);
  }
  const report = (monitor_id: string, body: object) =>
    plane.ask("/tasks", { method: "POST", token, body: { monitor_id, ...body } });
  return { ids, report };
}

const shown = async (name: string, headers: Record<string, string> = bearer) =>
  (await plane.ask("/metrics", { headers })).text.split("\n").filter((line) => line.startsWith(name));

test("monitors are counted by state, and each shows how long ago its last good run was", async () => {
  const { ids, report } = await openWith(metricsToken, 2);
  await report(ids[0] ?? "", { status: "completed" });
  plane.clock.now += 60_000;
  await report(ids[0] ?? "", { status: "failed", error: { code: "full", message: "", remedy: "" } });
  plane.clock.now += 30_000;
  expect(await shown("holdfast_monitors{")).toEqual([
    'holdfast_monitors{state="missed"} 0',
    'holdfast_monitors{state="failed"} 1',
    'holdfast_monitors{state="late"} 0',
    'holdfast_monitors{state="waiting"} 1',
    'holdfast_monitors{state="ok"} 0',
    'holdfast_monitors{state="paused"} 0',
  ]);
  const lines = await shown("holdfast_monitor_seconds_since_success{");
  expect(lines.sort()).toEqual(
    ids.map((id, index) => `holdfast_monitor_seconds_since_success{monitor="${id}",slug="job-${index + 1}"} 90`).sort(),
  );
});

test("above metrics_monitor_limit there are no series of single monitors", async () => {
  await openWith({ ...metricsToken, metrics_monitor_limit: "1" }, 2);
  expect(await shown("holdfast_monitor_seconds_since_success{")).toEqual([]);
  expect(await shown('holdfast_monitors{state="waiting"}')).toEqual(['holdfast_monitors{state="waiting"} 2']);
});

test("without a token for metrics no monitor is named", async () => {
  await openWith({ base_url: "http://127.0.0.1:8080" }, 1);
  expect(await shown('holdfast_monitors{state="waiting"}', {})).toEqual(['holdfast_monitors{state="waiting"} 1']);
  expect(await shown("holdfast_monitor_seconds_since_success", {})).toEqual([]);
});
