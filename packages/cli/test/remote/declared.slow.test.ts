import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildProgram, commandNames } from "../../src/command-line";
import { bashCompletion } from "../../src/commands/completion/bash";
import { fishCompletion } from "../../src/commands/completion/fish";
import { zshCompletion } from "../../src/commands/completion/zsh";
import { manualPage } from "../../src/commands/manual-page";
import { type DescribedCommand, describeCommand } from "../../src/grammar/describe-commands";
import { defaultTimeouts } from "../../src/supervisor/timeouts";

const everyCommand = (command: DescribedCommand): DescribedCommand[] => [
  command,
  ...command.commands.flatMap(everyCommand),
];
const program = describeCommand(await buildProgram(defaultTimeouts));
const all = everyCommand(program);

test("every command says what it does, and every one with options shows an example", () => {
  expect(all.length).toBeGreaterThan(60);
  expect(all.filter(({ description }) => !/^[A-Z].*[.?]( |$)/s.test(description)).map(({ path }) => path)).toEqual([]);
  const leaves = all.filter(({ commands, options }) => commands.length === 0 && options.length > 0);
  const withoutExample = leaves.filter(({ notes }) => !notes.includes("$ holdfast") && !notes.includes("$(holdfast"));
  expect(withoutExample.map(({ path }) => path.join(" "))).toEqual([]);
});

test("list and show take every format, and say where they work", () => {
  const reading = all.filter(({ path }) => ["list", "show"].includes(path.at(-1) ?? "") && path[0] !== "spool");
  expect(reading.length).toBeGreaterThan(18);
  const names = ({ options }: DescribedCommand) => options.map(({ long }) => long);
  expect(reading.filter((one) => !names(one).includes("--output") || !names(one).includes("--json"))).toEqual([]);
  const elsewhere = reading.filter((one) => !names(one).includes("--local")).map(({ path }) => path.join(" "));
  expect(elsewhere).toEqual(["profiles list"]);
});

test("the manual page has every command and every option, and nothing that roff would obey", () => {
  const page = manualPage(program);
  const missing = all.filter(
    ({ path, options, commands }) =>
      commands.length === 0 &&
      ![`.SS holdfast ${path.join(" ")}`, ...options.map(({ long }) => long)].every((text) =>
        page.includes(text.replaceAll("-", "\\-")),
      ),
  );
  expect(missing.map(({ path }) => path)).toEqual([]);
  const requests = page.split("\n").filter((line) => /^[.']/.test(line));
  expect(requests.filter((line) => !/^\.(TH|SH|SS|TP|PP|nf|fi|B|I)\b/.test(line))).toEqual([]);
});

test("bash completes commands, verbs, options, known values, lists with commas, aliases and files", () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-completion-"));
  writeFileSync(join(folder, "script.bash"), bashCompletion(program));
  const complete = (...words: string[]) => {
    const script = `source ./script.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _holdfast; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = Bun.spawnSync(["bash", "-c", script, "bash", "holdfast", ...words], { cwd: folder });
    return `${stderr}${stdout}`.trim().split("\n");
  };
  expect(complete("tas")).toEqual(["task"]);
  expect(complete("task", "w")).toEqual(["watch", "wait"]);
  expect(complete("tasks", "--out")).toEqual(["--outcome", "--output"]);
  expect(complete("task", "list", "--status", "fa")).toEqual(["failed"]);
  expect(complete("task", "list", "--status", "failed,ab")).toEqual(["failed,aborting", "failed,aborted"]);
  expect(complete("task", "-o", "")).toEqual(["table", "json", "ndjson", "csv", "id"]);
  expect(complete("ou", "list", "--token-file", "scr")).toEqual(["script.bash"]);
  expect(complete("completion", "z")).toEqual(["zsh"]);
  expect(complete("run", "--o")).toEqual(["--ou", "--operation"]);
  rmSync(folder, { recursive: true });
});

test("zsh and fish get every command and option", () => {
  const [zsh, fish] = [zshCompletion(program), fishCompletion(program)];
  const options = all.flatMap((command) => command.options.map(({ long }) => long));
  expect(options.filter((long) => !zsh.includes(`'${long}:`))).toEqual([]);
  expect(options.filter((long) => !fish.includes(` -l ${long.slice(2)} `))).toEqual([]);
  const names = [...commandNames].flatMap(([name, aliases]) => [name, ...aliases]);
  expect(names.filter((name) => !zsh.includes(name) || !fish.includes(name))).toEqual([]);
});

test("commands that ask a service load no schema, no database and nothing that answers requests", async () => {
  const script = `
    const { buildProgram } = await import(${JSON.stringify(resolve(import.meta.dir, "../../src/command-line.ts"))});
    for (const name of ["status", "task", "monitor", "entity", "webhook", "user", "role", "unit", "token", "key", "audit", "whoami", "api"]) await buildProgram({}, name);
    console.log(Object.keys(require.cache).join("\\n"));`;
  const loaded = Bun.spawnSync([process.execPath, "-e", script]).stdout.toString().split("\n");
  expect(loaded.length).toBeGreaterThan(80);
  const allowed =
    /packages\/server\/(package\.json|src\/(settings|http\/pending-bodies|resources\/tasks\/lease|access\/tokens\/token-life))/;
  expect(
    loaded.filter((path) => /\/(zod|kysely|hono|pg)\/|packages\/server\//.test(path) && !allowed.test(path)),
  ).toEqual([]);
});
