import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { layTables } from "../../server/test/folder-database";
import { readUntil } from "../../server/test/read-until";
import { firstOf, variation } from "../../server/test/runs";

const workspace = resolve(import.meta.dir, "../../..");
const installed = join(workspace, "node_modules/.bin");

let above: string;
/** The folder in which commands are called. */
let hostile: string;
let data: string;
/** Made by code of the folders, if any of it runs. */
let trace: string;

beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), "holdfast-hostile-"));
  hostile = join(above, "called in");
  mkdirSync(hostile);
  data = mkdtempSync(join(tmpdir(), "holdfast-data-"));
  trace = join(above, "trace");
  for (const folder of [above, hostile]) plant(folder);
});

/** Puts everything into a folder that the runtime, npm or a tool of theirs is known to read. */
function plant(folder: string): void {
  const code = `require("node:fs").appendFileSync(${JSON.stringify(trace)}, "code of the folder ran\\n");`;
  writeFileSync(join(folder, "attack.cjs"), code);
  for (const name of ["bunfig.toml", ".bunfig.toml"]) {
    writeFileSync(join(folder, name), 'preload = ["./attack.cjs"]\n[run]\npreload = ["./attack.cjs"]\n');
  }
  const changes = { imports: { "#a": "./attack.cjs" }, browser: { commander: "./attack.cjs" }, main: "./attack.cjs" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "holdfast", workspaces: ["*"], ...changes }));
  for (const name of ["tsconfig.json", "jsconfig.json"]) {
    const compilerOptions = { baseUrl: ".", paths: { "*": ["./attack.cjs"] } };
    writeFileSync(join(folder, name), JSON.stringify({ compilerOptions }));
  }
  for (const name of [".env", ".env.local", ".env.development", ".env.production", ".env.test"]) {
    writeFileSync(join(folder, name), "HOLDFAST_LOG_LEVEL=deafening\nBUN_OPTIONS=--preload=./attack.cjs\n");
  }
  for (const name of [".npmrc", "bun.lock", "bun.lockb", "package-lock.json", "holdfast", "bun", "node"]) {
    writeFileSync(join(folder, name), "#!/bin/sh\nexit 99\n", { mode: 0o755 });
  }
  for (const name of ["commander", "holdfast", "@holdfast/server", "@holdfast/runner", "@holdfast/api", "src"]) {
    mkdirSync(join(folder, "node_modules", name), { recursive: true });
    writeFileSync(join(folder, "node_modules", name, "index.js"), code);
  }
  mkdirSync(join(folder, "node_modules/.bin"));
  writeFileSync(join(folder, "node_modules/.bin/bun"), `#!/bin/sh\necho ran >>'${trace}'\n`, { mode: 0o755 });
}

afterEach(() => {
  for (const folder of [above, data]) rmSync(folder, { recursive: true, force: true });
});

/** Starts the command as it is installed, in the hostile folder. */
function start(...args: string[]) {
  return startHere(join(installed, "holdfast"), ...args, "--data-dir", data);
}

function startHere(...command: string[]) {
  return Bun.spawn(command, {
    cwd: hostile,
    env: { PATH: `${installed}:${process.env.PATH}`, HOME: data, PWD: hostile, OLDPWD: "/usr" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

async function endOf(child: ReturnType<typeof start>) {
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { stdout, stderr, exitCode, ranCode: existsSync(trace) };
}

test("a command neither runs code nor takes settings of the folder that it is started in", async () => {
  const madeNew = expect.stringMatching(/^Made new data: sqlite:.*\n$/);
  const made = { stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/), stderr: madeNew, exitCode: 0, ranCode: false };
  expect(await endOf(start("ou", "create", "--name", "North"))).toEqual(made);
});

test("a thread that a command starts runs no code of the folder either", async () => {
  await layTables(data);
  const copied = { stdout: "", stderr: expect.any(String), exitCode: 0, ranCode: false };
  expect(await endOf(start("database", "backup", join(data, "copy.db")))).toEqual(copied);
});

test("a command that is wrapped runs in the folder that it was called in, with the environment that it would have", async () => {
  const script = "pwd; readlink /proc/self/cwd; env | grep -E 'PWD|HOLDFAST' | sort";
  const child = startHere(join(installed, "holdfast"), "run", "--", "sh", "-c", script);
  const printed = [hostile, hostile, "OLDPWD=/usr", `PWD=${hostile}`, ""].join("\n");
  expect(await endOf(child)).toMatchObject({ stdout: printed, exitCode: 0, ranCode: false });
});

test("a command that is wrapped runs in a folder that was deleted, or that its user cannot enter", async () => {
  const command = [join(installed, "holdfast"), "run", "--", "readlink", "/proc/self/cwd"];
  const inDeleted = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
  const deleted = await endOf(startHere("sh", "-c", inDeleted, "sh", ...command));
  expect(deleted).toMatchObject({ stdout: `${hostile}/gone (deleted)\n`, exitCode: 0, ranCode: false });

  const asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
  chmodSync(above, 0o755);
  chmodSync(hostile, 0o700);
  const closed = await endOf(startHere(...asNobody, ...command));
  expect(closed).toMatchObject({ stdout: `${hostile}\n`, exitCode: 0, ranCode: false });
});

const system = ["/usr", "/bin", "/lib", "/etc", "/proc", "/sys", "/dev", "/run", "/var"];

/** Names of the files that a command opened outside the system's folders and ours. Folders above ours are listed by the runtime. */
function readForeign(calls: string): string[] {
  const opened = [...calls.matchAll(/ open\w*\((\w+<([^>]*)>, )?"([^"]*)", (\S+)/g)].map(
    ([, , folder = "", name = "", flags = ""]) => ({
      path: resolve(folder, name),
      isFolder: flags.includes("O_DIRECTORY"),
    }),
  );
  expect(opened.length).toBeGreaterThan(50);
  const isOurs = (path: string) => !isIn(above, path) && [...system, workspace, data].some((root) => isIn(root, path));
  const foreign = opened.filter(
    ({ path, isFolder }) => !isOurs(path) && !(isFolder && `${workspace}/`.startsWith(path)),
  );
  return [...new Set(foreign.map(({ path }) => path))];
}

function isIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function traceCalls(...command: string[]) {
  const calls = join(data, "calls");
  const strace = ["strace", "-f", "-y", "-s", "4096", "-e", "trace=open,openat,openat2", "-o", calls];
  const child = startHere(...strace, join(installed, "holdfast"), ...command);
  return { child, calls, readForeign: () => readForeign(readFileSync(calls, "utf8")) };
}

test("a wrapped command opens nothing of the folders that it is called in", async () => {
  const { child, readForeign } = traceCalls("run", "--", "/usr/bin/true");
  expect(await endOf(child)).toMatchObject({ stdout: "", exitCode: 0, ranCode: false });
  expect(readForeign()).toEqual([]);
});

test("a backup, which starts a thread, opens nothing of these folders but the settings file", async () => {
  await layTables(data);
  const { child, readForeign } = traceCalls("database", "backup", join(data, "copy.db"), "--data-dir", data);
  expect(await endOf(child)).toMatchObject({ stdout: "", exitCode: 0, ranCode: false });
  expect(readForeign()).toEqual([join(hostile, "holdfast.json")]);
});

async function traceService() {
  const options = ["--port", "0", "--processes", "2", "--drain-seconds", "0", "--data-dir", data];
  const { child, calls, readForeign } = traceCalls("serve", ...options);
  const printed = await readUntil(child.stderr, "/docs\n");
  // Not strace, which runs for as long as what it has started.
  process.kill(Number.parseInt(readFileSync(calls, "utf8"), 10), "SIGTERM");
  return { printed, exitCode: await child.exited, ranCode: existsSync(trace), foreign: readForeign() };
}

test("a service of two processes opens nothing of these folders but the settings file", async () => {
  const foreign = [join(hostile, "holdfast.json")];
  expect(await traceService()).toMatchObject({ exitCode: 0, ranCode: false, foreign });
}, 60_000);

// Not in a usual run, in which other tests compare what a service prints at its start.
variation(
  "a service that builds the console takes no code of these folders into it",
  async () => {
    rmSync(join(workspace, "packages/console/dist/built"), { force: true });
    const printed = expect.stringContaining("Built the web console");
    const foreign = [join(hostile, "holdfast.json")];
    expect(await traceService()).toMatchObject({ printed, exitCode: 0, ranCode: false, foreign });
  },
  60_000,
);

test("the settings file of the folder counts, unless others can write to it", async () => {
  const file = join(hostile, "holdfast.json");
  writeFileSync(file, '{"log_level": "deafening"}');
  const refusals = [];
  for (const mode of firstOf(3, [0o600, 0o664, 0o602, 0o666])) {
    chmodSync(file, mode);
    refusals.push(await endOf(start("ou", "list")));
  }
  const refused = (message: string) => ({
    stdout: "",
    stderr: `holdfast: ${message}\n`,
    exitCode: 2,
    ranCode: false,
  });
  const taken = refused("The setting log_level has to be one of debug, info, warn, error, silent.");
  const foreign = refused(
    "The settings file holdfast.json in this folder is another user's, or others can write to it. Name it with --config ./holdfast.json if you trust it, else start the command in another folder.",
  );
  expect(refusals).toEqual([...firstOf(3, [taken, taken, foreign, foreign])]);
  expect(await endOf(start("ou", "list", "--config", "./holdfast.json"))).toEqual(taken);
});

test("the processes that answer requests run no code of the folder either", async () => {
  const child = start("serve", "--port", "0", "--processes", "2", "--drain-seconds", "0");
  const printed = await readUntil(child.stderr, "/docs\n");
  const [, baseUrl] = /Holdfast serves (\S+),/.exec(printed) ?? [];
  expect({ printed, status: (await fetch(`${baseUrl}/readyz`)).status }).toEqual({ printed, status: 200 });
  child.kill("SIGTERM");
  expect([await child.exited, existsSync(trace)]).toEqual([0, false]);
});

test("called by its path, the command finds Bun beside itself, in any folder and through a link", async () => {
  const link = join(data, "linked");
  symlinkSync(join(installed, "holdfast"), link);
  const empty = { PATH: "/usr/bin:/bin" };
  for (const path of [resolve(import.meta.dir, "../bin/holdfast"), join(installed, "holdfast"), link, "./linked"]) {
    const child = Bun.spawn([path, "--version"], { cwd: data, env: empty, stdout: "pipe", stderr: "pipe" });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    const printed = { stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: "", exitCode: 0 };
    expect({ stdout, stderr, exitCode: await child.exited }).toEqual(printed);
  }
}, 120_000);
