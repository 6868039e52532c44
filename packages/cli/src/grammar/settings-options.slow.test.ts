import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingDeclarations, settingNames } from "@holdfast/server/settings/declarations";
import { type CommandLine, openCommandLine } from "../../test/open-command-line";

let commandLine: CommandLine;
beforeAll(() => {
  commandLine = openCommandLine({ isEmpty: true });
});
afterAll(() => commandLine.remove());

const refused = (message: string) => ({ stdout: "", stderr: `holdfast: ${message}\n`, exitCode: 2 });
const elsewhere = (variable: string) =>
  `Give the address in ${variable} or in the settings file, or leave the password out and put it into ~/.pgpass or PGPASSWORD.`;

test.each([
  ["--database-url", "postgres://me:hush@127.0.0.1:1/holdfast"],
  ["--database-url", "postgres://127.0.0.1:1/holdfast?user=me&password=hush"],
])("%s is refused with the password of %s, which is not repeated", async (flag, address) => {
  const variable = `HOLDFAST_${flag.slice(2).replaceAll("-", "_").toUpperCase()}`;
  const message = `Others on this machine can read the password in ${flag}. ${elsewhere(variable)}`;
  for (const args of [[flag, address], [`${flag}=${address}`]]) {
    expect(await commandLine.runHere(["ou", "list", ...args])).toEqual(refused(message));
  }
  expect(existsSync(commandLine.data)).toBe(false);
});

test("a flag that is spelt like its setting is refused with the right spelling, and what follows it is not repeated", async () => {
  for (const args of [
    ["--database_url", "postgres://me:hush@127.0.0.1:1/x"],
    ["--database_url=hush"],
    ["--data_dir"],
  ]) {
    const [given = ""] = args[0]?.split("=") ?? [];
    const message = `Unknown option '${given}'. Did you mean ${given.replace("_", "-")}?`;
    expect(await commandLine.runHere(["ou", "list", ...args])).toEqual(refused(message));
  }
  expect(existsSync(commandLine.data)).toBe(false);
});

test("an address without a password may be a flag, and one with a password may be in the environment", async () => {
  const away = (exitCode: number) => ({ stdout: "", stderr: expect.stringContaining("does not answer"), exitCode });
  const address = "postgres://me@127.0.0.1:1/holdfast";
  expect(await commandLine.run(["ou", "list", "--database-url", address])).toEqual(away(1));
  const environment = { HOLDFAST_DATABASE_URL: "postgres://me:hush@127.0.0.1:1/holdfast" };
  expect(await commandLine.runHere(["ou", "list"], environment)).toEqual(away(1));
  const file = join(commandLine.folder, "settings.json");
  writeFileSync(file, JSON.stringify({ database_url: "postgres://me:hush@127.0.0.1:1/holdfast" }), { mode: 0o600 });
  expect(await commandLine.runHere(["ou", "list", "--config", file])).toEqual(away(1));
});

test.each(settingNames.filter((name) => settingDeclarations[name].isSecret))(
  "%s is refused as a flag, and what follows it is not repeated",
  async (name) => {
    for (const flag of [`--${name}`, `--${name.replaceAll("_", "-")}`]) {
      const message = `Others on this machine can read what follows ${flag}. Give it in HOLDFAST_${name.toUpperCase()} or in the settings file.`;
      expect(await commandLine.runHere(["ou", "list", `${flag}=hush`])).toEqual(refused(message));
      expect(await commandLine.runHere(["ou", "list", flag, "hush"])).toEqual(refused(message));
    }
  },
);
