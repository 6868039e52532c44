import { accessSync, constants, statSync } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Engine } from "../engines/engine";
import type { Version } from "../engines/versions";
import { askProgram } from "../system/orphans";

/** Where versions of engines are remembered, so that no run waits for one. */
export interface VersionCache {
  /** The version of the engine at a path, as long as the file is the same one. */
  recall(path: string): Version | undefined;
  /** Asks the engine beside the run, for the next one. */
  learn(engine: Engine, path: string): void;
}

const answerTimeoutMs = 10_000;
/** Timeout for reading the remembered version before a command starts, in milliseconds: its disk may hang. */
const readTimeoutMs = 250;
const maxBytes = 65_536;
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Opens the memory in the folder of the spool. Nothing is known, and nothing is learned, where that does not answer. */
export async function openVersionCache(folder: string): Promise<VersionCache> {
  const file = join(folder, "versions.json");
  const late = new AbortController();
  const found = await Promise.race([read(file), sleep(readTimeoutMs, undefined, { signal: late.signal })]);
  late.abort();
  const known: Known = found ?? new Map();
  return {
    recall(path) {
      const one = known.get(path);
      return one?.modified === modifiedAt(path) ? one?.version : undefined;
    },
    learn(engine, path) {
      const { version } = engine;
      if (!version || !found || known.get(path)?.modified === modifiedAt(path)) return;
      askProgram(path, version.args, { timeout: answerTimeoutMs }, (_, stdout, stderr) => {
        const answered = version.parse(`${stdout}\n${stderr}`);
        const modified = modifiedAt(path);
        if (answered && modified !== undefined) void remember(file, path, { modified, version: answered });
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

interface Remembered {
  modified: number;
  version: Version;
}
type Known = Map<string, Remembered>;

/** Reads the remembered versions. A file that is not this user's own, or that holds anything else, counts as empty. */
async function read(file: string): Promise<Known> {
  const known: Known = new Map();
  try {
    const opened = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const facts = await opened.stat();
      const isOwn = facts.isFile() && facts.uid === (process.getuid?.() ?? facts.uid);
      const parsed: unknown = isOwn && facts.size <= maxBytes ? JSON.parse(await opened.readFile("utf8")) : {};
      for (const [path, one] of Object.entries(Object(parsed))) {
        if (isRemembered(one)) known.set(path, one);
      }
    } finally {
      await opened.close();
    }
  } catch {
    // Nothing is known then.
  }
  return known;
}

function isRemembered(one: unknown): one is Remembered {
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

async function remember(file: string, path: string, one: Remembered): Promise<void> {
  const fresh = `${file}.${process.pid}`;
  try {
    const folder = await stat(join(file, ".."));
    if (folder.uid !== (process.getuid?.() ?? folder.uid) || (folder.mode & 0o022) !== 0) return;
    const known = new Map([...(await read(file)), [path, one]]);
    const opened = await open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    await opened.writeFile(JSON.stringify(Object.fromEntries(known)));
    await opened.close();
    await rename(fresh, file);
  } catch {
    // The next run asks again.
    await rm(fresh, { force: true }).catch(() => {});
  }
}

function modifiedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
