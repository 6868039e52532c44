import { afterAll, afterEach, expect, test } from "bun:test";
import { chownSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { firstOf } from "../../../server/test/runs";
import { spooled, until } from "./runner";
import { openRunWorld } from "./service";

const world = await openRunWorld();
afterAll(world.close);
afterEach(() => rmSync(world.spool, { recursive: true, force: true }));

const id = "11111111-2222-4333-8444-555555555555";
const forged = () =>
  [
    { format: 1, task_id: id, base_url: world.service().baseUrl, unit: null, boot_id: null },
    { sequence: 1, operation: "create", body: { category: "backup", type: "forged" }, wall_ms: 1, monotonic_ms: 1 },
    { sequence: 2, operation: "update", body: { status: "completed" }, wall_ms: 1, monotonic_ms: 1 },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
const isReported = async () => (await world.tasks()).some(({ type }) => type === "forged");
const prepare = (write: (path: string) => void) => {
  mkdirSync(world.spool, { recursive: true, mode: 0o700 });
  write(join(world.spool, `${id}.ndjson`));
};
const elsewhere = join(world.path, "elsewhere");

test.each<[string, (path: string) => void]>([
  ["a symbolic link", (path) => symlinkSync(elsewhere, path)],
  ["a hard link", (path) => linkSync(elsewhere, path)],
  [
    "a file of another user",
    (path) => {
      writeFileSync(path, forged());
      chownSync(path, 65_534, 65_534);
    },
  ],
  ["a file under another task's name", (path) => writeFileSync(path, forged().replaceAll(id, id.replace("1", "2")))],
  ["a folder", (path) => mkdirSync(path)],
  ["noise", (path) => writeFileSync(path, "\0\u001b[31m{}[]\n".repeat(50))],
  [
    "reports of the wrong shape",
    (path) =>
      writeFileSync(
        path,
        `${forged().split("\n")[0]}\n{"sequence":1,"operation":"log","body":null}\n[]\n7\n{"acked":"x"}\n`,
      ),
  ],
  ["too much of it", (path) => writeFileSync(path, forged() + " ".repeat(5_000_000))],
])("T35: %s in the spool is not reported, changes nothing, and harms no run", async (_, write) => {
  writeFileSync(elsewhere, forged());
  prepare(write);
  const { exitCode } = await world.run(["--name", "beside it", "--quiet"], ["sh", "-c", "exit 3"]);
  expect(exitCode).toBe(3);
  await world.deliver();
  expect(await isReported()).toBe(false);
  expect(readFileSync(elsewhere, "utf8")).toBe(forged());
});

test("T35: a spool that is a symbolic link, or another user's, is not used, and the run is reported directly", async () => {
  const theirs = join(world.path, "theirs");
  mkdirSync(theirs, { mode: 0o777 });
  chownSync(theirs, 65_534, 65_534);
  const link = join(world.path, "link");
  symlinkSync(theirs, link);
  for (const spool of [theirs, link]) {
    const flags = ["--name", `over ${spool}`, "--spool-dir", spool];
    const { exitCode, stderr } = await world.run(flags, ["sh", "-c", "exit 3"]);
    expect(exitCode).toBe(3);
    expect(stderr.toString()).toMatch(/^holdfast: The spool cannot be used, so this run is reported without it: .*\n$/);
    expect((await world.taskNamed(`over ${spool}`)).status).toBe("failed");
  }
  expect(readdirSync(theirs)).toEqual([]);
});

test.each([["null"], ["[]"], [`{"/usr/bin/restic":{"modified":1,"version":"x"}}`], ["{"]])(
  "T35: remembered versions that are forged as %s harm no run",
  async (text) => {
    prepare(() => writeFileSync(join(world.spool, "versions.json"), text));
    expect((await world.run(["--quiet"], ["restic", "version"])).exitCode).toBe(0);
  },
);

test("T35: a pipe in place of the remembered versions does not hold the command up", async () => {
  prepare(() => Bun.spawnSync(["mkfifo", join(world.spool, "versions.json")]));
  expect((await world.run(["--quiet"], ["restic", "version"])).exitCode).toBe(0);
});

test("T35: the version of an engine is not written through a link", async () => {
  writeFileSync(elsewhere, "untouched");
  prepare(() => symlinkSync(elsewhere, join(world.spool, "versions.json")));
  await world.run(["--quiet"], ["restic", "version"]);
  expect(readFileSync(elsewhere, "utf8")).toBe("untouched");
});

const secret = "hunter2/ü&long+secret";
const names = [
  ...["RESTIC_PASSWORD", "BORG_PASSPHRASE", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "B2_ACCOUNT_KEY"],
  ...["PGPASSWORD", "RCLONE_CONFIG_PASS_PASSWORD", "AZURE_ACCOUNT_KEY", "OS_PASSWORD", "my_secret"],
];
const sayWrong = (name: string) => `printf 'Fatal: wrong %s\\n' "$${name}" >&2`;
/** Spellings that an engine might write, and secrets that must not remain. */
const spellings: [how: string, script: string][] = [
  // Each in a line of its own, in one run: which variables are secret does not depend on the run.
  ["every variable", names.map(sayWrong).join("; ")],
  ...firstOf(0, names).map((name): [string, string] => [name, sayWrong(name)]),
  ["cut into bytes", `printf '%s' "$V" | while IFS= read -r -n1 c; do printf '%s' "$c" >&2; done; echo >&2`],
  ["at the end of a line", `printf 'error: %s' "$V" >&2`],
  ["in JSON", `printf '{"message":"error %s"}\\n' "$V" >&2`],
  ["cut by a line end", `printf 'error: hunter2/\\nü&long+secret\\n' >&2`],
  ["in a URL", `printf 'error: rest:https://user:%s@host/\\n' "$V" >&2`],
  ["encoded in a URL", `printf 'error: hunter2%%2F%%C3%%BC%%26long%%2Bsecret\\n' >&2`],
  ["in a URL that no variable has", `printf 'error: sftp://user:hunter2long@host/x\\n' >&2`],
  ["at the edge of a message", `printf 'error: %1985s%s\\n' x "$V" >&2`],
  ["in colours", `printf '\\033[31merror: %s\\033[0m\\n' "$V" >&2`],
  ["in progress", `printf '{"type":"progress_message","message":"Reading %s"}\\n' "$V" >&2`],
  ["at the edge of progress", `printf '{"type":"progress_message","message":"%0185d %s"}\\n' 0 "$V" >&2`],
  ["over and over", `for i in 1 2 3 4 5 6 7 8 9; do printf '%s' "$V$V" >&2; done`],
];

test("T35: no spelling of a secret leaves the host in log, message, progress or spool", async () => {
  await world.away();
  const environment = { ...Object.fromEntries(names.map((name) => [name, secret])), V: secret, LC_ALL: "C.UTF-8" };
  const contents: string[] = [];
  for (const [how, script] of spellings) {
    const named = ["--name", `${how} ${secret}`, "--entity", `https://u:${secret}@h`];
    const flags = [...named, "--engine", "borg", "--linger", "0s", "--quiet"];
    const { exitCode, stderr } = await world.run(flags, ["bash", "-c", `${script}; exit 3`], { environment });
    expect([how, exitCode, stderr.length > 0]).toEqual([how, 3, true]);
  }
  expect(spooled(world.spool)).toHaveLength(spellings.length);
  for (const name of spooled(world.spool)) contents.push(readFileSync(join(world.spool, name), "utf8"));
  await world.back();
  await world.deliver();
  for (const task of await world.tasks()) contents.push(JSON.stringify(task), (await world.logOf(task)) ?? "");
  expect(contents.filter((text) => /hunter2|long\+secret|long%2Bsecret/.test(text))).toEqual([]);
  expect(contents.filter((text) => text.includes("***")).length).toBeGreaterThan(spellings.length);
}, 120_000);

test("T35: a secret that is cut by the edges of what a flood leaves out of the log is masked, too", async () => {
  // Nothing but the secret, so that both edges of each gap are in the middle of it.
  const flood = 'for i in 1 2 3; do yes "$A_PASSWORD" | head -n 150000 >&2; sleep 2.6; done';
  const environment = { A_PASSWORD: secret, LC_ALL: "C.UTF-8" };
  await world.run(["--name", "flood"], ["bash", "-c", flood], { environment });
  const task = await until(() => world.taskNamed("flood"));
  const log = await world.logOf(task);
  expect(log.length).toBeGreaterThan(50_000);
  expect(log.replaceAll("***", "").trim()).toBe("");
}, 120_000);

test("T35: the token is in no spool file, and a variable of env is masked", async () => {
  await world.away();
  const command = ["env", `RESTIC_PASSWORD=${secret}`, "sh", "-c", `echo "$RESTIC_PASSWORD $HOLDFAST_TOKEN" >&2`];
  await world.run(["--linger", "0s", "--quiet"], command);
  const [file = ""] = spooled(world.spool);
  const text = readFileSync(join(world.spool, file), "utf8");
  expect(text).toContain("*** ***");
  expect([text.includes(world.reporter), text.includes("hunter2")]).toEqual([false, false]);
  await world.back();
});
