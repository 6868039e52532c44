import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { layTables } from "../../test/folder-database";
import { makeFolder } from "../../test/harness";

const installed = resolve(import.meta.dir, "../../../../node_modules/.bin/holdfast");
const nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

let folder: string;
let data: string;
beforeAll(async () => {
  folder = makeFolder();
  data = join(folder, "data");
  chmodSync(folder, 0o755);
  mkdirSync(data);
  await layTables(data);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function runAsNobody(...args: string[]) {
  const command = [...nobody, installed, ...args, "--data-dir", data];
  const env = { PATH: process.env.PATH, HOME: folder };
  const child = Bun.spawn(command, { cwd: folder, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { stdout, stderr, exitCode: await child.exited };
}

const commands = [
  ["token", "list"],
  ["unit", "create", "--name", "North"],
  ["database", "backup", "/tmp/never.db"],
];

function refused(path: string, remedy: string) {
  const line = `holdfast: ${path} belongs to the user root, and this runs as nobody. ${remedy} Or name other data with --data-dir.\n`;
  return { stdout: "", stderr: expect.stringContaining(line), exitCode: 2 };
}

test.each(commands)("%s %s in a data folder of another user names that user", async (...args) => {
  chmodSync(data, 0o700);
  expect(await runAsNobody(...args)).toEqual(refused(data, "Run it as root: sudo -u root holdfast …"));
});

test("a database that root has left in a folder of the service names root, and how to get it back", async () => {
  chownSync(data, 65534, 65534);
  const file = join(data, "holdfast.db");
  expect(await runAsNobody("token", "list")).toEqual(refused(file, `Run: sudo chown nobody ${file}`));
});
