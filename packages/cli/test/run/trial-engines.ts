import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type EndedRun, run } from "./runner";

/** The two repositories that trials write to: without us, and with us. */
export type Side = "bare" | "ours";

/** An engine whose runs are compared with and without us. */
export interface TrialEngine {
  environment(side: Side): Record<string, string>;
  /** Makes one repository, and the other as a copy of it: what is written to both in the same way is equal then. */
  prepare(): Promise<void>;
  backup(trial: number, source: string): string[];
  /** Text of the engine for people, without what differs from run to run. */
  comparable(text: string): string;
  /** Contents of the repository: what the newest backups consist of, and how many there are. */
  contents(side: Side, newest: number): Promise<unknown>;
  /** The engine's own check of the repository. */
  check(side: Side): Promise<EndedRun>;
}

const password = "correct horse";

/** restic and borg, with repositories in a folder. */
export function openTrialEngines(folder: string): Record<"restic" | "borg", TrialEngine> {
  const at = (engine: string, side: Side) => join(folder, `${engine}-${side}`);
  const inside = (environment: Record<string, string>) => (argv: string[]) => run(argv, { cwd: folder, environment });
  const copy = (engine: string) => cpSync(at(engine, "bare"), at(engine, "ours"), { recursive: true });

  const restic: Pick<TrialEngine, "environment"> = {
    environment: (side) => ({
      RESTIC_PASSWORD: password,
      RESTIC_REPOSITORY: at("restic", side),
      RESTIC_CACHE_DIR: join(folder, `restic-cache-${side}`),
    }),
  };
  const borg: Pick<TrialEngine, "environment"> = {
    environment: (side) => ({
      BORG_REPO: at("borg", side),
      BORG_BASE_DIR: join(folder, `borg-base-${side}`),
      BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: "yes",
      BORG_RELOCATED_REPO_ACCESS_IS_OK: "yes",
    }),
  };
  const asRestic = (side: Side, ...args: string[]) => inside(restic.environment(side))(["restic", ...args]);
  const asBorg = (side: Side, ...args: string[]) => inside(borg.environment(side))(["borg", ...args]);

  return {
    restic: {
      ...restic,
      async prepare() {
        await asRestic("bare", "init");
        copy("restic");
      },
      backup: (_, source) => ["restic", "backup", source],
      comparable: (text) => text.replace(/[0-9a-f]{8,}|[\d.:]+/g, "#").replace(/# (?:[KM]i)?B/g, "#"),
      async contents(side) {
        const snapshots: { tree: string }[] = JSON.parse(
          (await asRestic(side, "snapshots", "--json")).stdout.toString(),
        );
        // A tree is named by a hash of all that is below it.
        return snapshots.map(({ tree }) => tree);
      },
      check: (side) => asRestic(side, "check", "--read-data"),
    },
    borg: {
      ...borg,
      async prepare() {
        await asBorg("bare", "init", "-e", "none");
        copy("borg");
        // borg asks once whether it may open a repository that it does not know.
        await asBorg("ours", "list");
      },
      backup: (trial, source) => ["borg", "create", "--list", `::trial-${trial}`, source],
      // The engine may or may not recognise a file that has just changed, depending on the time since then.
      comparable: (text) => text.replace(/^[AMU](?= )/gm, "F"),
      async contents(side, newest) {
        const names = (await asBorg(side, "list", "--short")).stdout.toString().trim().split("\n");
        const contents: string[] = [];
        for (const name of names.slice(-newest)) {
          const listed = await asBorg(
            side,
            "list",
            "--format",
            "{mode} {path} {size} {mtime} {sha256}{NL}",
            `::${name}`,
          );
          contents.push(listed.stdout.toString());
        }
        return { names, contents };
      },
      check: (side) => asBorg(side, "check", "--verify-data"),
    },
  };
}

/** A shell that writes what a command says to files. To a socket, as tests read from, the runner shows progress of its own. */
export const intoFiles: readonly string[] = ["sh", "-c", 'exec "$@" > out 2> err', "sh"];

/** Output that a command has written through that shell. */
export function written(folder: string, engine: TrialEngine): { stdout: string; stderr: string } {
  const read = (name: string) => engine.comparable(readFileSync(join(folder, name), "latin1"));
  return { stdout: read("out"), stderr: read("err") };
}
