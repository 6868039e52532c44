import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { createTestDatabase } from "../../../server/test/test-database";
import { layKeptFile, testSecret } from "../../../server/test/upgrades/kept-data";
import { withSecondStep } from "../../../server/test/upgrades/second-step";
import { type CommandLine, openCommandLine } from "../../test/open-command-line";
import { openForCommand } from "./open-for-command";

let commandLine: CommandLine;
beforeEach(() => {
  commandLine = openCommandLine({ isEmpty: true });
});
afterEach(() => commandLine.remove());

const elsewhere = "name it with --data-dir (HOLDFAST_DATA_DIR) or database_url (HOLDFAST_DATABASE_URL)";
const absent = "11111111-1111-4111-8111-111111111111";

test("where there is no data, a command that makes none says where it looked, and makes none", async () => {
  const { data, folder, run, runHere } = commandLine;
  const refused = {
    stdout: "",
    stderr: `holdfast: There is no data of Holdfast in sqlite:${data}/holdfast.db. If yours is elsewhere, ${elsewhere}; to make new data here, run: holdfast serve\n`,
    exitCode: 1,
  };
  const commands = [
    ["token", "list"],
    ["token", "revoke", absent],
    ["user", "list"],
    ["user", "disable", absent],
    ["ou", "list"],
    ["key", "list"],
    ["key", "rotate"],
    ["key", "reseal"],
    ["task", "prune", "--older-than-days", "400"],
    ["audit", "verify"],
    ["audit", "export"],
  ];
  for (const args of commands) expect({ args, ...(await runHere(args)) }).toEqual({ args, ...refused });
  expect(readdirSync(folder)).toEqual([]);
  mkdirSync(data);
  expect(await run(["token", "list"])).toEqual(refused);
  expect(readdirSync(data)).toEqual([]);
}, 120_000);

test("a service for all addresses without a base URL is refused before it makes any data", async () => {
  const { folder, runHere } = commandLine;
  for (const host of ["0.0.0.0", "::"]) {
    expect(await runHere(["serve", "--host", host, "--port", "0"])).toEqual({
      stdout: "",
      stderr: expect.stringMatching(/^holdfast: The host \S+ is all addresses of this machine, .* Set base_url .*\n$/),
      exitCode: 2,
    });
  }
  expect(readdirSync(folder)).toEqual([]);
}, 120_000);

test("a command on data of an older version copies and migrates it, and says so", async () => {
  const { data, here, runHere } = commandLine;
  layKeptFile("0001", data);
  const environment = { HOLDFAST_SECRET_KEY: testSecret };
  const { stdout, exitCode } = await runHere(["token", "list"], environment);
  expect([stdout.split("\n").length, exitCode]).toEqual([5, 0]);
  const open = async () => {
    await openForCommand(new Command(), async () => {}, { steps: withSecondStep });
    return 0;
  };
  const { stderr } = await here(open, environment);
  expect(stderr.split("\n")).toEqual([
    expect.stringMatching(
      /^holdfast: The database is of an older version, so it is copied and then migrated\. \(from 0001-initial-schema to \S+; the copy is \S+-before-upgrade\)$/,
    ),
    "holdfast: The database was migrated.",
    "",
  ]);
  expect((await here(open, environment)).stderr).toBe("");
});

test("a command that creates or imports makes the data, and says where, once", async () => {
  const { data, run } = commandLine;
  const first = await run(["task", "import", "-"]);
  expect(first).toEqual({
    stdout: "0\n",
    stderr: `Made new data: ${data} with sqlite:${data}/holdfast.db. If yours is elsewhere, ${elsewhere}.\n`,
    exitCode: 0,
  });
  expect(existsSync(join(data, "holdfast.db"))).toBe(true);
  expect((await run(["ou", "create", "--name", "North"])).stderr).toBe("");
  expect((await run(["ou", "list"])).exitCode).toBe(0);
}, 120_000);

test("a command on PostgreSQL that another machine serves makes no folder, and does not claim to have made data", async () => {
  const { data, run } = commandLine;
  const { url, drop } = await createTestDatabase();
  const environment = { HOLDFAST_DATABASE_URL: url, HOLDFAST_SECRET_KEY: testSecret };
  const create = () => run(["token", "create", "--local", "--kind", "service", "--name", "x"], { environment });
  expect((await create()).stderr).toStartWith(`Made new data: ${data} with postgres://`);
  rmSync(data, { recursive: true });
  const second = await create();
  expect([second.stderr, second.exitCode, existsSync(data)]).toEqual(["", 0, false]);
  await drop();
}, 120_000);
