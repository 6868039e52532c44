import { expect, test } from "bun:test";
import { openReportingPlane } from "../reports/reporting-plane";

test("a run whose end is not pinged within its limit is lost, which takes its monitor down; its end brings it up again", async () => {
  const plane = await openReportingPlane();
  const { token } = await plane.serviceToken("owner");
  const body = { name: "Files", run_limit_seconds: 60 };
  const { body: monitor } = await plane.ask("/monitors", { method: "POST", token, body });
  const path = new URL(monitor.ping_url).pathname;
  const read = async () => (await plane.ask(`/monitors/${monitor.id}`, { token })).body;
  await plane.ask(`${path}/start`);
  const { last_task_id: taskId } = await read();
  await plane.pass(40);
  // A word for the log says that it lives.
  await plane.ask(`${path}/log`, { method: "POST", body: "half of it" });
  await plane.pass(59);
  expect((await plane.read(taskId)).body).toMatchObject({ status: "in_progress", liveness: "silent" });
  await plane.pass(10);
  expect((await plane.read(taskId)).body).toMatchObject({
    status: "failed",
    outcome: "lost",
    error: { code: "no_end_signal", message: "No ping has said how the run ended within 60 seconds." },
  });
  expect(await read()).toMatchObject({ state: "failed", is_running: false, recent_outcomes: [{ outcome: "lost" }] });
  await plane.ask(path, { method: "POST", body: "all of it" });
  expect((await plane.read(taskId)).body).toMatchObject({ status: "completed", revised_timestamp: expect.any(String) });
  expect(await read()).toMatchObject({
    state: "ok",
    is_running: false,
    last_task_id: taskId,
    recent_outcomes: [{ task_id: taskId, outcome: "success" }],
  });
  await plane.close();
});
