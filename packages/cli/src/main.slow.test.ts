import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { layTables } from "../../server/test/folder-database";
import { readUntil } from "../../server/test/read-until";
import { firstOf } from "../../server/test/runs";

const installed = resolve(import.meta.dir, "../../../node_modules/.bin");

let hostile: string;
let data: string;
/** Made by code of the folder, if any of it runs. */
let trace: string;

beforeEach(() => {
  hostile = mkdtempSync(join(tmpdir(), "holdfast-hostile-"));
  data = mkdtempSync(join(tmpdir(), "holdfast-data-"));
  trace = join(hostile, "trace");
  const code = `require("node:fs").appendFileSync(${JSON.stringify(trace)}, "code of the folder ran\\n");`;
  writeFileSync(join(hostile, "attack.cjs"), code);
  writeFileSync(join(hostile, "bunfig.toml"), 'preload = ["./attack.cjs"]\n[run]\npreload = ["./attack.cjs"]\n');
  writeFileSync(join(hostile, "package.json"), '{"name": "hostile", "imports": {"#a": "./attack.cjs"}}');
  const taken = { commander: ["./attack.cjs"], "@holdfast/*": ["./attack.cjs"], "./command-line": ["./attack.cjs"] };
  writeFileSync(join(hostile, "tsconfig.json"), JSON.stringify({ compilerOptions: { baseUrl: ".", paths: taken } }));
  for (const name of [".env", ".env.local", ".env.development", ".env.production", ".env.test"]) {
    writeFileSync(join(hostile, name), "HOLDFAST_LOG_LEVEL=deafening\nBUN_OPTIONS=--preload=./attack.cjs\n");
  }
  for (const name of ["commander", "@holdfast/server", "@holdfast/api"]) {
    mkdirSync(join(hostile, "node_modules", name), { recursive: true });
    writeFileSync(join(hostile, "node_modules", name, "index.js"), code);
  }
});

afterEach(() => {
  for (const folder of [hostile, data]) rmSync(folder, { recursive: true, force: true });
});

/** Starts the command as it is installed, in the hostile folder. */
function start(...args: string[]) {
  return Bun.spawn([join(installed, "holdfast"), ...args, "--data_dir", data], {
    cwd: hostile,
    env: { PATH: `${installed}:${process.env.PATH}` },
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
  const child = start("serve", "--port", "0", "--processes", "2", "--drain_seconds", "0");
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
