import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import type { SystemCalls } from "../system/libc";
import { disk } from "./disk";
import { noFollow, spoolBounds } from "./spool-folder";
import { isEnd, parseSpool, type SpoolContents, type SpooledReport, type SpoolHeader } from "./spooled-report";

/**
 * The file of one run, which this process has locked. What is done to it is done in order, beside everything else. After a
 * failure nothing is added to it any more: it can be written again, left, or removed.
 */
export interface SpoolFile {
  /** Writes a report before it is sent. The end is waited for until it is on the disk; the beginning must delay nothing. */
  append(report: SpooledReport): Promise<void>;
  acknowledge(sequence: number): Promise<void>;
  /** Writes the file again with only what is still needed. */
  rewrite(begin: SpooledReport | undefined, acked: number, pending: readonly SpooledReport[]): Promise<void>;
  /** Shows that the runner lives: by the time of the file. */
  touch(): Promise<void>;
  /** Size of the file after that. */
  bytes(): number;
  /** Everything is delivered. */
  remove(): Promise<void>;
  close(): Promise<void>;
}

const { O_RDWR, O_CREAT, O_EXCL, O_APPEND } = constants;

/** The file of a run whose runner has ended. */
export interface TakenSpoolFile {
  file: SpoolFile;
  contents: SpoolContents;
  /** Last sign of life of its runner, by the wall clock. */
  lastSignMs: number;
}

/** Makes the file of a run. */
export function createSpoolFile(path: string, header: SpoolHeader, system: SystemCalls | undefined): SpoolFile {
  const unnamed = `${path}.new`;
  const fd = openSync(unnamed, O_RDWR | O_CREAT | O_EXCL | O_APPEND | noFollow, 0o600);
  try {
    // Whole and locked before it has the name under which others look for it.
    system?.lockFile(fd);
    const text = Buffer.from(textOfLine(header));
    if (writeSync(fd, text) < text.length) throw new Error("no space left on device");
    renameSync(unnamed, path);
    return spoolFileOf(path, fd, header, system);
  } catch (error) {
    rmSync(unnamed, { force: true });
    closeSync(fd);
    throw error;
  }
}

/**
 * Opens the file of a run whose runner has ended; undefined where it still runs, or the file is gone. Throws where the file
 * is none that a runner of this user has made.
 */
export function takeOverSpoolFile(path: string, system: SystemCalls | undefined): TakenSpoolFile | undefined {
  const fd = openIfThere(path);
  if (fd === undefined) return undefined;
  const opened = fstatSync(fd);
  const isTaken = system !== undefined && !system.lockFile(fd);
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (isTaken || there?.ino !== opened.ino) {
    closeSync(fd);
    return undefined;
  }
  const self = process.getuid?.();
  const isOurs = opened.isFile() && opened.nlink === 1 && (self === undefined || opened.uid === self);
  const contents =
    isOurs && opened.size <= 2 * spoolBounds.fileBytes ? parseSpool(readFileSync(fd, "utf8")) : undefined;
  if (!contents || !path.endsWith(`/${contents.header.task_id}.ndjson`)) {
    closeSync(fd);
    throw new Error(`${path} is not a spool file of this user. Look at it, and remove it.`);
  }
  return { file: spoolFileOf(path, fd, contents.header, system), contents, lastSignMs: opened.mtimeMs };
}

/** Opens a file, unless another runner has delivered and removed it since it was listed. */
function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, O_RDWR | O_APPEND | noFollow);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function spoolFileOf(path: string, first: number, header: SpoolHeader, system: SystemCalls | undefined): SpoolFile {
  let fd = first;
  let bytes = fstatSync(fd).size;
  let previous: Promise<unknown> = Promise.resolve();
  let isWhole = true;

  function next(deed: () => Promise<void>): Promise<void> {
    const done = previous.then(deed);
    previous = done.catch(() => {});
    return done;
  }

  function add(line: object, then?: () => Promise<void> | void): Promise<void> {
    const text = textOfLine(line);
    bytes += Buffer.byteLength(text);
    return next(async () => {
      if (!isWhole) throw new Error("An earlier line could not be written.");
      isWhole = false;
      await disk.writeLine(fd, text);
      isWhole = true;
      await then?.();
    });
  }

  async function writeAgain(lines: readonly string[]): Promise<void> {
    const flags = O_RDWR | O_CREAT | O_APPEND | noFollow | constants.O_TRUNC;
    const fresh = await disk.open(`${path}.new`, flags, 0o600);
    try {
      system?.lockFile(fresh);
      for (const line of lines) await disk.writeLine(fresh, line);
      await disk.sync(fresh);
      await disk.rename(`${path}.new`, path);
    } catch (error) {
      await disk.remove(`${path}.new`);
      await disk.close(fresh);
      throw error;
    }
    await disk.close(fd);
    fd = fresh;
    isWhole = true;
  }

  return {
    append(report) {
      const keep = async () => {
        if (isEnd(report)) await disk.sync(fd);
        // A disk that cannot do this is found out by the next write.
        if (report.operation === "create") void disk.sync(fd).catch(() => {});
      };
      return add(report, keep);
    },
    acknowledge: (sequence) => add({ acked: sequence }),
    rewrite(begin, acked, pending) {
      const kept = begin && !pending.includes(begin) ? [begin, ...pending] : pending;
      const lines = [header, ...kept, { acked }].map(textOfLine);
      bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
      return next(() => writeAgain(lines));
    },
    touch: () => next(() => disk.touch(fd)),
    bytes: () => bytes,
    remove: () =>
      next(async () => {
        await disk.remove(path);
        await disk.close(fd);
      }),
    close: () => next(() => disk.close(fd)),
  };
}

function textOfLine(line: object): string {
  return `${JSON.stringify(line)}\n`;
}
