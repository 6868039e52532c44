import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ItemOf } from "@holdfast/client";
import { programOf, runProgram } from "../../src/command-line";
import { bashCompletion } from "../../src/commands/completion/bash";
import { manualPage } from "../../src/commands/manual-page";
import { describeCommand } from "../../src/grammar/describe-commands";
import { noun } from "../../src/grammar/noun";
import { resourceNoun } from "../../src/grammar/resource-noun";
import { openRemoteWorld, type RemoteWorld } from "./remote-world";

/** All that a noun needs: a real resource without a command of its own, below a noun, with a table of columns. */
function pingKeyCommand() {
  return resourceNoun<"ping-keys", ItemOf<"ping-keys", "create-ping-key">>({
    name: "ping key",
    description: "Keys that ping monitors by their slugs.",
    resource: "ping-keys",
    calls: ({ pingKeys }) => pingKeys,
    columns: ["name", "type", "may_create", "created_timestamp", "organizational_unit_id", "id"],
  });
}

const program = () => programOf([noun("ping", "What pings need.", [pingKeyCommand()])]);

let world: RemoteWorld;
beforeAll(async () => {
  world = await openRemoteWorld({ tasks: 20 });
}, 60_000);
afterAll(() => world.close());

const run = (...args: string[]) =>
  world.commandLine.here(() => runProgram(program(), args), { HOLDFAST_TOKEN: world.owner });

test("a noun below a noun is made of its declaration and its columns: created, listed, shown by name and deleted", async () => {
  const unit = await world.result("unit", "create", "--name", "Rhine");
  const made = ["--name", "web", "--type", "restic_backup", "--create", "--default-period", "2d", "--unit", "Rhine"];
  const created = await run("ping", "key", "create", ...made, "-o", "json");
  expect(created.stderr).toBe("");
  const { id, key, ...item } = JSON.parse(created.stdout);
  expect(key).toMatch(/./);
  expect(item).toMatchObject({
    name: "web",
    type: "restic_backup",
    category: "backup",
    may_create: true,
    default_period_seconds: 172_800,
    organizational_unit_id: unit,
  });

  const [heading, row] = (await run("ping", "key", "--search", "web")).stdout.split("\n");
  expect(heading?.split(/ {2,}/)).toEqual(["NAME", "TYPE", "MAY CREATE", "CREATED (UTC)", "UNIT", "ID"]);
  expect(row?.split(/ {2,}/)).toEqual([
    "web",
    "restic_backup",
    "true",
    item.created_timestamp.slice(0, 16).replace("T", " "),
    "Rhine",
    id,
  ]);
  expect((await run("ping", "key", "list", "--search", "nothing", "-o", "id")).stdout).toBe("");
  expect((await run("ping", "key", "show", "WEB", "-o", "id")).stdout).toBe(`${id}\n`);
  expect((await run("ping", "key", "web")).stdout).toMatch(/^Name +web\n/m);
  expect(await run("ping", "key", "delete", "web", "--yes")).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  expect((await run("ping", "key", "list", "-o", "id")).stdout).not.toContain(id);
});

test("its errors name its words and flags", async () => {
  const errors = [
    [
      ["nosuch"],
      1,
      `There is no key "nosuch", or you may not see it. See: holdfast ping key list (The verbs of ping key are list, show, create, delete.)`,
    ],
    [["show", "11111111-1111-4111-8111-111111111111"], 1, expect.stringMatching(/ See: holdfast ping key list$/)],
    [
      ["lits", "x"],
      2,
      "key has no verb 'lits'. Did you mean list? Its verbs are list, show, create, delete. See: holdfast ping key --help",
    ],
    [["create"], 2, "Required option '--name <name>' not specified. See: holdfast ping key create --help"],
    [["create", "--name", "a", "--default-period", "1s"], 1, "--default-period, in seconds, has to be 60 to 31536000."],
    [["create", "--name", "a", "--category", "x"], 2, expect.stringContaining("Write one of backup, restore, ")],
  ] as const;
  for (const [args, exitCode, message] of errors) {
    const ended = await run("ping", "key", ...args);
    const stderr = ended.stderr.replace(/^holdfast: |\n$/g, "");
    expect({ ...ended, stderr }).toEqual({ stdout: "", stderr: message, exitCode });
  }
});

test("completion, the manual page and help have it without being told", () => {
  const described = describeCommand(program());
  const page = manualPage(described);
  const script = bashCompletion(described);
  const below = described.commands[0]?.commands[0];
  expect(below?.commands.map(({ path, usage }) => [...path, usage].join(" "))).toEqual([
    "ping key list [options]",
    "ping key show [options] <key>",
    "ping key create [options]",
    "ping key delete [options] <key>",
  ]);
  expect(below?.commands[2]?.help).toContain("  --category <category>    What kind of task");
  expect(page).toContain(".SS holdfast ping key create");
  const complete = (...words: string[]) =>
    Bun.spawnSync([
      "bash",
      "-c",
      `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _holdfast; echo "\${COMPREPLY[@]}"`,
      "bash",
      "holdfast",
      ...words,
    ])
      .stdout.toString()
      .trim();
  expect(complete("ping", "")).toBe("key");
  expect(complete("ping", "key", "")).toBe("list show create delete");
  expect(complete("ping", "key", "--sea")).toBe("--search");
  expect(complete("ping", "key", "create", "--category", "rest")).toBe("restore");
});
