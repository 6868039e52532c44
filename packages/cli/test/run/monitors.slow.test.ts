import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { holdfast, run, spooled, until } from "./runner";
import { openRunWorld, type RunWorld } from "./service";

let world: RunWorld;
let owner: string;
beforeAll(async () => {
  world = await openRunWorld();
  owner = (await world.beside.serviceToken("owner")).token;
}, 120_000);
afterAll(() => world.close());

// biome-ignore lint/suspicious/noExplicitAny: tests look into every field of a monitor.
type Shown = any;

async function addMonitor(body: object): Promise<Shown> {
  return (await world.service().ask("/monitors", { method: "POST", token: owner, body })).body;
}

const readMonitor = async ({ id }: Shown): Promise<Shown> =>
  (await world.service().ask(`/monitors/${id}`, { token: owner })).body;

async function runsOf({ id }: Shown): Promise<Shown[]> {
  const filter = encodeURIComponent(JSON.stringify({ monitor_id: id }));
  return (await world.service().ask(`/tasks?filter=${filter}`, { token: owner })).body._embedded.items.toReversed();
}

describe("curl", () => {
  const curl = (...args: string[]) => run(["curl", "-fsS", "-m", "10", "--retry", "5", ...args], { cwd: world.path });

  test("in a script reports start, log and exit status", async () => {
    const monitor = await addMonitor({ name: "Script", type: "restic_backup" });
    writeFileSync(join(world.path, "output"), "saving /srv\nWarning: one file could not be read\n");
    const script = [
      `curl -fsS -m 10 --retry 5 -o /dev/null ${monitor.ping_url}/start`,
      "m=$(cat output; sh -c 'exit 3' 2>&1)",
      `curl -fsS -m 10 --retry 5 --data-raw "$m" ${monitor.ping_url}/$?`,
    ].join("\n");
    const ended = await run(["sh", "-c", script], { cwd: world.path });
    expect([ended.exitCode, String(ended.stdout), String(ended.stderr)]).toEqual([0, "OK", ""]);
    const [task, ...others] = await runsOf(monitor);
    expect(others).toEqual([]);
    expect(task).toMatchObject({ status: "completed", outcome: "warning", error: { code: "files_unreadable" } });
    expect(await world.logOf(task)).toBe("saving /srv\nWarning: one file could not be read");
  });

  test("may send more than is kept, in chunks, and all of a file", async () => {
    const monitor = await addMonitor({ name: "Long" });
    writeFileSync(join(world.path, "long"), "x".repeat(12_000_000));
    const large = await curl("--data-binary", "@long", "-o", "/dev/null", "-w", "%{http_code}", monitor.ping_url);
    expect([large.exitCode, String(large.stdout)]).toEqual([0, "200"]);
    const headers = ["-H", "Transfer-Encoding: chunked"];
    const chunked = await curl(...headers, "--data-binary", "@output", `${monitor.ping_url}/log`);
    expect(String(chunked.stdout)).toBe("OK");
    const [task] = await runsOf(monitor);
    expect((await world.logOf(task)).length).toBe(
      100_000 + 1 + "saving /srv\nWarning: one file could not be read\n".length,
    );
  });

  test("is told in the usual way what is wrong", async () => {
    const monitor = await addMonitor({ name: "Put" });
    const nowhere = new URL("/ping/no-such-monitor", monitor.ping_url).href;
    const wrong = await run(["curl", "-sS", "-w", " %{http_code}", nowhere]);
    expect(String(wrong.stdout)).toMatch(/^\{"errors":\[\{"error_code":40402,.*\}\]\} 404$/);
    const asked = await run(["curl", "-sS", "-i", "-X", "PUT", monitor.ping_url]);
    expect(String(asked.stdout)).toMatch(/^HTTP\/1.1 405 .*\r\nallow: GET, HEAD, POST, OPTIONS\r\n/is);
  });
});

test("borgmatic, with our URL in the place of Healthchecks', reports start, log and end", async () => {
  const source = join(world.path, "source");
  mkdirSync(source);
  writeFileSync(join(source, "file"), "contents");
  const monitor = await addMonitor({ name: "borgmatic", type: "borgmatic_create" });
  const config = join(world.path, "borgmatic.yaml");
  const write = (repository: string) =>
    writeFileSync(
      config,
      `location:
    source_directories: [${source}]
    repositories: [${repository}]
hooks:
    healthchecks:
        ping_url: ${monitor.ping_url}
        states: [start, finish, fail]
`,
    );
  const environment = { BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: "yes" };
  const borgmatic = (...args: string[]) =>
    run(["borgmatic", "--config", config, ...args], { cwd: world.path, environment });
  write(join(world.path, "repository"));
  // Not by borgmatic, which takes three times as long.
  const made = await run(["borg", "init", "--encryption", "none", join(world.path, "repository")], {
    cwd: world.path,
    environment,
  });
  expect(made.exitCode).toBe(0);
  const saved = await borgmatic("create", "--verbosity", "1", "--monitoring-verbosity", "1");
  expect(saved.exitCode).toBe(0);
  const [first, ...none] = await runsOf(monitor);
  expect(none).toEqual([]);
  expect(first).toMatchObject({ status: "completed", outcome: "success", type: "borgmatic_create", name: "borgmatic" });
  expect(Date.parse(first.end_timestamp)).toBeGreaterThan(Date.parse(first.start_timestamp));
  expect(await world.logOf(first)).toContain("Creating archive");

  write(join(world.path, "missing", "repository"));
  expect((await borgmatic("create")).exitCode).toBe(1);
  const [, failed] = await runsOf(monitor);
  expect(failed).toMatchObject({ status: "failed", outcome: "error", error: { code: "command_failed" } });
  expect(failed.error.message).toContain("missing/repository");
  expect(await readMonitor(monitor)).toMatchObject({ state: "failed", last_task_id: failed.id });
}, 120_000);

describe("holdfast run --monitor", () => {
  test("reports a run of the monitor: its category, type and entity, unless others are given", async () => {
    const entity = { id: "web-1", type: "host", value: "web-1" };
    const monitor = await addMonitor({ name: "Nightly", category: "system", type: "x_prune", primary_entity: entity });
    const ended = await world.run(["--monitor", "nightly"], ["true"]);
    expect([ended.exitCode, String(ended.stderr)]).toEqual([0, ""]);
    await world.run(["--type", "own_type", "--entity", "disk:sda"], ["false"], {
      environment: { HOLDFAST_MONITOR: monitor.id },
    });
    expect(await runsOf(monitor)).toMatchObject([
      { status: "completed", category: "system", type: "x_prune", primary_entity: entity, monitor_id: monitor.id },
      { status: "failed", category: "system", type: "own_type", primary_entity: { type: "disk", value: "sda" } },
    ]);
    expect(await readMonitor(monitor)).toMatchObject({ state: "failed", is_running: false });
  }, 120_000);

  test("that the service does not know reports the run all the same, and says so", async () => {
    const ended = await world.run(["--monitor", "no-such-monitor", "--name", "unmonitored"], ["tar", "--version"]);
    expect(ended.exitCode).toBe(0);
    expect(String(ended.stderr)).toMatch(
      /^holdfast: The run names the monitor no-such-monitor\. .* It is recorded without a monitor\.\n$/,
    );
    const task = await world.taskNamed("unmonitored");
    expect(task).toMatchObject({ status: "completed", outcome: "success", category: "system" });
    expect(task.monitor_id).toBeUndefined();
    expect(spooled(world.spool)).toEqual([]);
  }, 120_000);

  test("while the service is away waits in the spool, and counts for the monitor afterwards", async () => {
    const monitor = await addMonitor({ name: "Spooled", schedule: { period_seconds: 3_600 } });
    await world.away();
    const ended = await world.run(["--monitor", "spooled", "--linger", "0s"], ["true"]);
    expect([ended.exitCode, spooled(world.spool).length]).toEqual([0, 1]);
    await world.back();
    expect((await world.deliver()).exitCode).toBe(0);
    const task = await until(async () => (await runsOf(monitor))[0]);
    expect(task).toMatchObject({ status: "completed", type: "ping_run", monitor_id: monitor.id });
    expect(await readMonitor(monitor)).toMatchObject({
      state: "ok",
      next_expected_timestamp: new Date(Date.parse(task.start_timestamp) + 3_600_000).toISOString(),
    });
  }, 120_000);

  test("is in the help", async () => {
    const { stdout } = await run([...holdfast, "run", "--help"]);
    expect(String(stdout)).toContain("--monitor <id|slug>");
  });
});
