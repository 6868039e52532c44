import { expect, test } from "bun:test";
import { engineNames } from "../packages/runner/src/engines/engine-names";
import { recogniseCommand } from "../packages/runner/src/engines/recognise";
import { readPage } from "./samples/read-samples";

const [, table = ""] = readPage("docs/how-to/schedule-backups.md").split("| command on the host `web-01` |");
const [lines = ""] = table.split("\n\n");
/** The rows of the page: one or more commands, the item and the operation. */
const rows = [...lines.matchAll(/^\| `.*$/gm)].map(([line]) =>
  [...line.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code.replaceAll("\\|", "|")),
);

/** Splits a command into its words, of which some are in single quotes. */
const wordsOf = (command: string) => [...command.matchAll(/'([^']*)'|\S+/g)].map(([whole, quoted]) => quoted ?? whole);

test.each(rows)("the item and the operation that schedule-backups.md shows of %s", (command, ...more) => {
  const [item, operation] = more.slice(-2);
  const request = { argv: wordsOf(command ?? ""), environment: {}, host: "web-01", folder: "/" };
  const { entity, operation: named } = recogniseCommand(request).recognition;
  expect([`${entity.type}:${entity.value}`, named]).toEqual([String(item), String(operation)]);
});

test("the table has local things, things elsewhere and commands that no engine knows", () => {
  const items = rows.map((row) => row.at(-2) ?? "");
  const withHost = items.filter((item) => /^(folder|database|script):web-01\//.test(item));
  expect([withHost.length > 6, items.includes("folder:nas:/www"), items.includes("script:web-01/backup.sh")]).toEqual([
    true,
    true,
    true,
  ]);
});

const pages: Readonly<Record<string, string>> = { postgres: "postgresql" };
const hostItems = ["restic", "borg", "borgmatic", "kopia"];

test.each(engineNames.filter((name) => name !== "other"))("the page of %s shows the host in its item", (name) => {
  const page = readPage(`docs/how-to/engines/${pages[name] ?? name}.md`);
  const item = hostItems.includes(name) ? /`host:web-01`/ : /`(folder:|database:)?web-01\/\w+/;
  expect(page.includes("../schedule-backups.md#what-is-one-item-and-one-operation")).toBe(true);
  expect(page.match(item)?.[0]).toContain("web-01");
});
