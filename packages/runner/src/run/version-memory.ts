import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import type { Engine } from "../engines/engine";
import type { Version } from "../engines/versions";
import { askProgram } from "../system/orphans";

/** Where versions of engines are remembered, so that no run waits for one. */
export interface VersionMemory {
  /** The version of the engine at a path, as long as the file is the same one. */
  recall(path: string): Version | undefined;
  /** Asks the engine beside the run, for the next one. */
  learn(engine: Engine, path: string): void;
}

const longestAnswer = 10_000;
const mostBytes = 65_536;
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Opens the memory in the folder of the spool. */
export function openVersionMemory(folder: string): VersionMemory {
  const file = join(folder, "versions.json");
  const known = read(file);
  return {
    recall(path) {
      const one = known.get(path);
      return one?.modified === modifiedAt(path) ? one?.version : undefined;
    },
    learn(engine, path) {
      const { version } = engine;
      if (!version || known.get(path)?.modified === modifiedAt(path)) return;
      askProgram(path, version.args, { timeout: longestAnswer }, (_, stdout, stderr) => {
        const found = version.parse(`${stdout}\n${stderr}`);
        const modified = modifiedAt(path);
        if (found && modified !== undefined)
          write(file, new Map([...read(file), [path, { modified, version: found }]]));
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

type Known = Map<string, { modified: number; version: Version }>;

/** What is remembered. A file that is not this user's own, or that holds anything else, counts as empty. */
function read(file: string): Known {
  const known: Known = new Map();
  try {
    const fd = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const facts = fstatSync(fd);
      const isOwn = facts.isFile() && facts.uid === (process.getuid?.() ?? facts.uid);
      const parsed: unknown = isOwn && facts.size <= mostBytes ? JSON.parse(readFileSync(fd, "utf8")) : {};
      for (const [path, one] of Object.entries(Object(parsed))) {
        if (isRemembered(one)) known.set(path, one);
      }
    } finally {
      closeSync(fd);
    }
  } catch {
    // Nothing is known then.
  }
  return known;
}

function isRemembered(one: unknown): one is { modified: number; version: Version } {
  return (
    typeof one === "object" &&
    one !== null &&
    "modified" in one &&
    typeof one.modified === "number" &&
    "version" in one &&
    Array.isArray(one.version) &&
    one.version.every(Number.isSafeInteger)
  );
}

function write(file: string, known: Known): void {
  const fresh = `${file}.${process.pid}`;
  try {
    const folder = statSync(join(file, ".."));
    if (folder.uid !== (process.getuid?.() ?? folder.uid) || (folder.mode & 0o022) !== 0) return;
    const fd = openSync(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    writeSync(fd, JSON.stringify(Object.fromEntries(known)));
    closeSync(fd);
    renameSync(fresh, file);
  } catch {
    // The next run asks again.
    rmSync(fresh, { force: true });
  }
}

function modifiedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
