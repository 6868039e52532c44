import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { maxAgeMs } from "./spooled-report";

/** Limits of the folder. */
export const spoolBounds = { fileBytes: 2 * 1024 * 1024, bytes: 64 * 1024 * 1024, files: 10_000 } as const;

/** Flag with which spool files are opened: never through a link that was put there. */
export const noFollow = constants.O_NOFOLLOW;

/** A file that waits to be delivered. */
export interface SpoolEntry {
  taskId: string;
  path: string;
  bytes: number;
  modifiedMs: number;
}

/** Where reports are kept until they are delivered. */
export interface SpoolFolder {
  path: string;
  /** The files in it, oldest first. */
  entries(): SpoolEntry[];
  fileOf(taskId: string): string;
  /** Puts what the service refuses aside, with its answer. */
  setAside(name: string, text: string): void;
  /** Puts a whole file aside. */
  setFileAside(taskId: string, answer: string): void;
}

/** Where the spool is, unless it is said. */
export function defaultSpoolPath(environment: Readonly<Record<string, string | undefined>>): string {
  if (environment.HOLDFAST_SPOOL) return environment.HOLDFAST_SPOOL;
  if (process.getuid?.() === 0) return "/var/spool/holdfast";
  return join(environment.XDG_STATE_HOME || join(homedir(), ".local/state"), "holdfast/spool");
}

/** Opens the folder, and makes it where it is missing. Throws where it cannot be trusted: others could forge reports. */
export function openSpoolFolder(path: string): SpoolFolder {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  requireOwnFolder(path);
  const refused = join(path, "refused");
  const fileOf = (taskId: string) => join(path, `${taskId}.ndjson`);

  function setAside(name: string, text: string): void {
    mkdirSync(refused, { recursive: true, mode: 0o700 });
    requireOwnFolder(refused);
    const flag = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | noFollow;
    const fd = openSync(join(refused, name), flag, 0o600);
    writeSync(fd, text);
    closeSync(fd);
  }

  return {
    path,
    fileOf,
    entries() {
      return readdirSync(path)
        .flatMap((name): SpoolEntry[] => {
          const taskId = /^([0-9a-f-]{36})\.ndjson$/.exec(name)?.[1];
          const facts = taskId === undefined ? undefined : lstatSync(join(path, name), { throwIfNoEntry: false });
          if (taskId === undefined || !facts?.isFile()) return [];
          return [{ taskId, path: join(path, name), bytes: facts.size, modifiedMs: facts.mtimeMs }];
        })
        .sort((a, b) => a.modifiedMs - b.modifiedMs);
    },
    setAside,
    setFileAside(taskId, answer) {
      setAside(`${taskId}.answer`, `${answer}\n`);
      renameSync(fileOf(taskId), join(refused, `${taskId}.ndjson`));
    },
  };
}

/** Removes what is older than the service takes, and gives how many files that were. */
export function removeOutdated(folder: SpoolFolder, now: number, isRunning: (path: string) => boolean): number {
  const outdated = folder.entries().filter(({ path, modifiedMs }) => now - modifiedMs > maxAgeMs && !isRunning(path));
  for (const { path } of outdated) rmSync(path, { force: true });
  return outdated.length;
}

function requireOwnFolder(path: string): void {
  if (!lstatSync(path).isDirectory()) throw new Error(`${path} is not a folder. Name another one in HOLDFAST_SPOOL.`);
  const { uid, mode } = statSync(path);
  const self = process.getuid?.();
  if (self !== undefined && uid !== self) {
    throw new Error(`${path} belongs to another user. Name a folder of your own in HOLDFAST_SPOOL.`);
  }
  if ((mode & 0o077) !== 0) chmodSync(path, 0o700);
}
