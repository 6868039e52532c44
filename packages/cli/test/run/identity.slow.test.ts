import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./runner";
import { openRunWorld } from "./service";

const world = await openRunWorld();
afterAll(world.close);
const owner = (await world.beside.serviceToken("owner")).token;

interface Item {
  primary_entity: { type: string; id: string };
  state: string;
}

/** The items of the service, as `type:id state`. */
async function items(): Promise<string[]> {
  const { body } = await world.service().ask("/entities?limit=100", { token: owner });
  return body._embedded.items.map(({ primary_entity: { type, id }, state }: Item) => `${type}:${id} ${state}`).sort();
}

test("two hosts that save the same folders and databases have two items each, and an unknown command has its own", async () => {
  const source = join(world.path, "ssl");
  mkdirSync(source);
  writeFileSync(join(source, "key"), "contents");
  writeFileSync(join(world.path, "nightly.sh"), "exit 0\n");
  const environment = { RESTIC_PASSWORD: "correct horse", RESTIC_REPOSITORY: join(world.path, "restic") };
  await run(["restic", "init"], { cwd: world.path, environment });
  const commands = [
    ["restic", "backup", "ssl"],
    ["tar", "-cf", "-", "-C", world.path, "ssl"],
    ["rsync", "-a", "ssl/", "copied"],
    ["pg_dump", "-h", "localhost", "-p", "1", "erp"],
    ["sh", "nightly.sh"],
  ];
  for (const host of ["web-01", "web-02"]) {
    for (const command of commands) await world.run(["--host", host], command, { environment });
  }
  expect(await items()).toEqual(
    ["web-01", "web-02"]
      .flatMap((host) => [
        `host:${host} unwatched`,
        `folder:${host}${source} unwatched`,
        `database:${host}/erp never`,
        `script:${host}/nightly.sh unwatched`,
      ])
      .sort(),
  );
  const tasks = await world.tasks();
  expect(tasks.map(({ operation, runner }) => `${runner.host} ${operation}`).slice(0, 5)).toEqual([
    "web-02 nightly.sh",
    "web-02 pg_dump erp@localhost:1",
    `web-02 rsync_copy ${source} → ${join(world.path, "copied")}`,
    `web-02 tar_create ${source}`,
    `web-02 restic_backup ${source} → ${join(world.path, "restic")}`,
  ]);
}, 120_000);

test("a host whose backup fails stays red, whatever other commands of it succeed", async () => {
  const environment = { RESTIC_PASSWORD: "correct horse", RESTIC_REPOSITORY: join(world.path, "restic") };
  const onHost = (...command: string[]) => world.run(["--host", "web-03"], command, { environment });
  await onHost("restic", "-r", "no-such-repository", "backup", "ssl");
  await onHost("true");
  await onHost("restic", "backup", "--dry-run", "ssl");
  expect((await items()).filter((item) => item.includes("web-03"))).toEqual([
    "host:web-03 never",
    "script:web-03/true unwatched",
  ]);
  await onHost("restic", "backup", "ssl");
  expect(await items()).toContain("host:web-03 failing");
}, 120_000);

test("--operation and HOLDFAST_HOST win over what the command says", async () => {
  const environment = { HOLDFAST_HOST: "db-07" };
  await world.run(["--name", "given", "--operation", "Nightly dump"], ["true"], { environment });
  expect(await world.taskNamed("given")).toMatchObject({
    operation: "Nightly dump",
    primary_entity: { type: "script", id: "db-07/true" },
    runner: { host: "db-07" },
  });
}, 60_000);

test("a run of a monitor has the monitor's slug as its operation, unless one is given", async () => {
  const body = { name: "Nightly" };
  const monitor = (await world.service().ask("/monitors", { method: "POST", token: owner, body })).body;
  await world.run(["--monitor", "nightly", "--name", "of the monitor"], ["true"]);
  await world.run(["--monitor", "nightly", "--name", "with its own", "--operation", "own"], ["true"]);
  await world.run(["--monitor", "no-such", "--name", "of no monitor"], ["true"]);
  const shown = [
    await world.taskNamed("of the monitor"),
    await world.taskNamed("with its own"),
    await world.taskNamed("of no monitor"),
  ];
  expect(shown.map(({ operation, monitor_id }) => [operation, monitor_id])).toEqual([
    ["nightly", monitor.id],
    ["own", monitor.id],
    ["true", undefined],
  ]);
}, 60_000);

test("flags that are longer than the service takes are cut off, which is said, and the run is recorded", async () => {
  const long = (letter: string) => letter.repeat(1100);
  const flags = ["--name", long("n"), "--type", long("t"), "--entity", long("e"), "--operation", long("o")];
  const ended = await world.run(flags, ["true"]);
  expect([ended.exitCode, String(ended.stderr)]).toEqual([
    0,
    [
      ["--name", 200],
      ["--type", 128],
      ["--entity", 1024],
      ["--operation", 200],
    ]
      .map(
        ([flag, max]) =>
          `holdfast: ${flag} is longer than ${max} characters, so this run is recorded with a shortened one.\n`,
      )
      .join(""),
  ]);
  const [task] = await world.tasks();
  expect(task.name).toBe(`${"n".repeat(199)}…`);
  expect(task.operation).toMatch(/^o{187}…[0-9a-f]{12}$/);
  expect(task).toMatchObject({ status: "completed", type: expect.stringMatching(/^t+…/) });
}, 60_000);

test("a token file that every user can read is used, and a line says what to do", async () => {
  const folder = join(world.path, "secrets");
  const file = join(folder, "token");
  mkdirSync(folder, { mode: 0o755 });
  writeFileSync(file, world.reporter);
  const warned = async (mode: number, folderMode: number) => {
    chmodSync(file, mode);
    chmodSync(folder, folderMode);
    const ended = await world.run(["--token-file", file, "--name", `mode ${mode} ${folderMode}`], ["true"]);
    expect([ended.exitCode, (await world.taskNamed(`mode ${mode} ${folderMode}`)).status]).toEqual([0, "completed"]);
    return String(ended.stderr);
  };
  chmodSync(world.path, 0o755);
  const warning = `holdfast: Every user of this host can read the token in ${file}. Run: chmod 600 ${file}\n`;
  expect(await warned(0o644, 0o755)).toBe(warning);
  expect(await warned(0o600, 0o755)).toBe("");
  expect(await warned(0o640, 0o755)).toBe("");
  expect(await warned(0o644, 0o700)).toBe("");
}, 60_000);
