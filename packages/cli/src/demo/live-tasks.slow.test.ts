import { expect, test } from "bun:test";
import { connect } from "@holdfast/client";
import { root } from "../../../server/test/harness";
import { startProcess } from "../../../server/test/process";
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

test("live tasks run, come along, have logs and end, and none is left when they are stopped", async () => {
  const server = await startProcess();
  const beside = await server.openBeside();
  const reporter = connect({ token: (await beside.serviceToken("reporter")).token });
  const viewer = connect({ token: (await beside.serviceToken("viewer")).token });
  await beside.close();
  const stop = new AbortController();
  const lines: string[] = [];
  const running = runLiveTasks(reporter, {
    work,
    random: createRandom(1, "live"),
    atOnce: 3,
    secondMs: 60,
    signal: stop.signal,
    onLine: (line) => lines.push(line),
  });
  for await (const event of viewer.tasks.watch({ filter: { status: "completed" }, snapshot: false })) {
    expect(event.event).toBe("match");
    break;
  }
  stop.abort();
  await running;

  const tasks = await viewer.tasks.list().first(50);
  expect(tasks.filter(({ end_timestamp }) => end_timestamp === null)).toEqual([]);
  const done = tasks.find(({ status }) => status === "completed");
  const log = await viewer.tasks.downloadLog(done?.id ?? "");
  expect(log).toStartWith("restic backup of web-01 started\n");
  expect(log).toContain("\ndone: ");
  expect(lines).toContain("restic_backup of web-01: done");
  await server.stop();
}, 60_000);
