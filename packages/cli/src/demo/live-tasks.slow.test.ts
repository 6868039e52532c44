import { expect, test } from "bun:test";
import { connect } from "@holdfast/client";
import { root } from "../../../server/test/harness";
import { startProcess } from "../../../server/test/process";
import { runLivePings } from "./live-pings";
import { type LiveWork, runLiveTasks } from "./live-tasks";
import { createRandom } from "./random";

const work: LiveWork[] = [
  {
    category: "backup",
    type: "restic_backup",
    organizational_unit_id: root,
    primary_entity: { id: "web-01", type: "host", value: "web-01" },
  },
];

test("live tasks and pings run, come along, have logs and end, and none is left when they are stopped", async () => {
  const server = await startProcess();
  const beside = await server.openBeside();
  const reporter = connect({ token: (await beside.serviceToken("reporter")).token });
  const viewer = connect({ token: (await beside.serviceToken("viewer")).token });
  const admin = await beside.serviceToken("admin");
  const made = await beside.ask("/monitors", { token: admin.token, method: "POST", body: { name: "Laptops" } });
  await beside.close();
  const stop = new AbortController();
  const lines: string[] = [];
  const options = {
    random: createRandom(1, "live"),
    secondMs: 60,
    signal: stop.signal,
    onLine: (line: string) => lines.push(line),
  };
  const pingUrl = `${reporter.baseUrl}${new URL(made.body.ping_url).pathname}`;
  const pinging = runLivePings({ ...options, name: "Laptops", pingUrl });
  const running = runLiveTasks(reporter, { ...options, work, atOnce: 3 });
  for await (const event of viewer.tasks.watch({ filter: { status: "completed" }, snapshot: false })) {
    expect(event.event).toBe("match");
    break;
  }
  stop.abort();
  await running;
  await pinging;

  const tasks = await viewer.tasks.list().first(50);
  expect(tasks.filter(({ end_timestamp }) => end_timestamp === null)).toEqual([]);
  expect(tasks.filter(({ status }) => status === "aborted")).toEqual([]);
  const monitor = await viewer.monitors.read(made.body.id);
  expect(monitor.is_running).toBe(false);
  expect(monitor.recent_outcomes.length).toBeGreaterThan(0);
  expect(lines).toContain("Laptops: pinged /start, answered 200");
  const done = tasks.find(({ status, monitor_id }) => status === "completed" && monitor_id === undefined);
  const log = await viewer.tasks.downloadLog(done?.id ?? "");
  expect(log).toStartWith("restic backup of web-01 started\n");
  expect(log).toContain("\ndone: ");
  expect(lines).toContain("restic_backup of web-01: done");
  await server.stop();
}, 120_000);
