import { execFile } from "node:child_process";
import { accessSync, constants, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Engine } from "../engines/engine";
import type { Version } from "../engines/versions";

/** Where versions of engines are remembered, so that no run waits for one. */
export interface VersionMemory {
  /** The version of the engine at a path, as long as the file is the same one. */
  recall(path: string): Version | undefined;
  /** Asks the engine beside the run, for the next one. */
  learn(engine: Engine, path: string): void;
}

const longestAnswer = 10_000;

/** Opens the memory in the folder of the spool. */
export function openVersionMemory(folder: string | undefined): VersionMemory {
  const file = folder === undefined ? undefined : join(folder, "versions.json");
  const known = read(file);
  return {
    recall: (path) => (known[path]?.modified === modifiedAt(path) ? known[path]?.version : undefined),
    learn(engine, path) {
      const { version } = engine;
      if (!version || file === undefined || known[path]?.modified === modifiedAt(path)) return;
      execFile(path, [...version.args], { timeout: longestAnswer }, (_, stdout, stderr) => {
        const found = version.parse(`${stdout}\n${stderr}`);
        const modified = modifiedAt(path);
        if (!found || modified === undefined) return;
        try {
          writeFileSync(
            `${file}.${process.pid}`,
            JSON.stringify({ ...read(file), [path]: { modified, version: found } }),
            {
              mode: 0o600,
            },
          );
          renameSync(`${file}.${process.pid}`, file);
        } catch {
          // The next run asks again.
        }
      });
    },
  };
}

/** The file that a program's name stands for. */
export function findProgram(name: string, path: string | undefined): string | undefined {
  if (name.includes("/")) return name;
  return (path ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

type Known = Partial<Record<string, { modified: number; version: Version }>>;

function read(file: string | undefined): Known {
  if (file === undefined) return {};
  try {
    return Object(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return {};
  }
}

function modifiedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
