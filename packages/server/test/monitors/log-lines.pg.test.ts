import { expect, test } from "bun:test";
import { openReportingPlane } from "../reports/reporting-plane";
import { minute, openWatchedPlane } from "./watched-plane";

/** The lines of a log with a message, as they were written. */
function linesOf(logged: readonly string[], message: string): Record<string, unknown>[] {
  const lines = logged.join("").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line)).filter((line) => line.message === message);
}

test("the log names the monitor whose run has not come, and never its ping URL", async () => {
  const plane = await openWatchedPlane("2027-06-01T00:00:00Z");
  const { ping_url } = await plane.addMonitor({
    name: "Files of web-01",
    schedule: { period_seconds: 3600 },
    grace_seconds: 60,
  });
  await plane.pass(70 * minute);
  plane.service.log.flush();
  expect(linesOf(plane.logged, "An expected run has not come.")).toEqual([
    expect.objectContaining({ level: "warn", monitor: "files-of-web-01", detail: "Files of web-01" }),
  ]);
  expect(plane.logged.join("")).not.toContain(new URL(ping_url ?? "").pathname.split("/").at(-1) ?? "");
  await plane.close();
});

test("the log names the monitor whose run was lost", async () => {
  const plane = await openReportingPlane();
  const { token } = await plane.serviceToken("owner");
  const body = { name: "Files", run_limit_seconds: 60 };
  const { body: monitor } = await plane.ask("/monitors", { method: "POST", token, body });
  await plane.ask(`${new URL(monitor.ping_url).pathname}/start`);
  await plane.pass(70);
  const { body: read } = await plane.ask(`/monitors/${monitor.id}`, { token });
  plane.service.log.flush();
  expect(linesOf(plane.logged, "A task was lost: nothing was heard of its runner.")).toEqual([
    expect.objectContaining({ monitor: "files", detail: read.last_task_id }),
  ]);
  await plane.close();
});
