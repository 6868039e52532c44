import { expect, spyOn } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "@holdfast/server/database/database";
import { openSqlite } from "@holdfast/server/database/sqlite/open";
import { commandLines, helper } from "../../server/test/built-programs";
import { runCommandLine } from "../src/command-line";
import { localNote } from "../src/connection/with-connection";

/** Ending and output of a command. */
export interface Ended {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** The real command, in a folder of its own. */
export interface CommandLine {
  folder: string;
  /** Its data directory, in that folder. */
  data: string;
  start(
    args: readonly string[],
    more?: { input?: string; environment?: object },
  ): Bun.Subprocess<Buffer, "pipe", "pipe">;
  /** Runs a command to its end. */
  run(args: readonly string[], more?: { input?: string; environment?: object }): Promise<Ended>;
  /** Runs a command in this process, without input: what it does and prints, without the time that a process needs to start. */
  runHere(args: readonly string[], environment?: Record<string, string>): Promise<Ended>;
  /** Does something in this process as if it were started there, and gives what it printed. */
  here(act: () => Promise<number>, environment?: Record<string, string>): Promise<Ended>;
  /** Runs a command in this process that has to succeed without a word of complaint, and gives what it printed, as $(…) does. */
  result(...args: string[]): Promise<string>;
  inDatabase<Result>(use: (database: Database) => Promise<Result>): Promise<Result>;
  remove(): void;
}

/** Makes a folder with new data to run commands in, or an empty one, without the tester's own settings. */
export function openCommandLine({ isEmpty = false } = {}): CommandLine {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-cli-"));
  const data = join(folder, "data");
  if (!isEmpty) Bun.spawnSync([process.execPath, helper(join(import.meta.dir, "make-data.ts")), data]);

  const start: CommandLine["start"] = (args, { input = "", environment = {} } = {}) =>
    Bun.spawn([process.execPath, commandLines().default, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, HOLDFAST_DATA_DIR: data, ...environment },
      stdin: Buffer.from(input),
      stdout: "pipe",
      stderr: "pipe",
    });

  const run: CommandLine["run"] = async (args, more) => {
    const command = start(args, more);
    const [stdout, stderr, exitCode] = await Promise.all([
      command.stdout.text(),
      command.stderr.text(),
      command.exited,
    ]);
    return { stdout, stderr: withoutNote(stderr), exitCode };
  };

  const here: CommandLine["here"] = (act, environment = {}) =>
    inPlace(folder, { PATH: process.env.PATH, HOME: folder, HOLDFAST_DATA_DIR: data, ...environment }, act);
  const runHere: CommandLine["runHere"] = (args, environment) => here(() => runCommandLine(args), environment);

  return {
    folder,
    data,
    start,
    run,
    here,
    runHere,
    async result(...args) {
      const { stdout, stderr, exitCode } = await runHere(args);
      expect({ args, stderr, exitCode }).toEqual({ args, stderr: "", exitCode: 0 });
      return stdout.replace(/\n$/, "");
    },
    async inDatabase(use) {
      const database = await openSqlite(join(data, "holdfast.db"));
      try {
        return await use(database);
      } finally {
        await database.close();
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Output of a command without the sentence that it works on the data of this machine: a test of its own is about that. */
function withoutNote(stderr: string): string {
  return stderr.replace(`${localNote}\n`, "");
}

/** Does something as if this process had been started in a folder with an environment, and gives what it printed. */
async function inPlace(folder: string, environment: NodeJS.ProcessEnv, act: () => Promise<number>): Promise<Ended> {
  const [before, inherited] = [process.cwd(), process.env];
  const streams = { stdout: spyOn(process.stdout, "write"), stderr: spyOn(process.stderr, "write") };
  for (const stream of Object.values(streams)) stream.mockReturnValue(true);
  const printed = (stream: keyof typeof streams) => streams[stream].mock.calls.map(([text]) => String(text)).join("");
  process.chdir(folder);
  process.env = environment;
  try {
    const exitCode = await act();
    return { stdout: printed("stdout"), stderr: withoutNote(printed("stderr")), exitCode };
  } finally {
    process.env = inherited;
    process.chdir(before);
    for (const stream of Object.values(streams)) stream.mockRestore();
  }
}
