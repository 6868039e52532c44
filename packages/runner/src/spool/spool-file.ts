import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import type { SystemCalls } from "../system/libc";
import { noFollow, spoolBounds } from "./spool-folder";
import { isEnd, parseSpool, type SpoolContents, type SpooledReport, type SpoolHeader } from "./spooled-report";

/** The file of one run, which this process has locked. */
export interface SpoolFile {
  /** Writes a report before it is sent. The end is waited for until it is on the disk; the beginning must delay nothing. */
  append(report: SpooledReport): void;
  acknowledge(sequence: number): void;
  /** Writes the file again with only what is still needed. */
  rewrite(begin: SpooledReport | undefined, acked: number, pending: readonly SpooledReport[]): void;
  bytes(): number;
  /** Everything is delivered. */
  remove(): void;
  close(): void;
}

const { O_RDWR, O_CREAT, O_EXCL, O_APPEND } = constants;

/** Makes the file of a run. */
export function createSpoolFile(path: string, header: SpoolHeader, system: SystemCalls | undefined): SpoolFile {
  const unnamed = `${path}.new`;
  const fd = openSync(unnamed, O_RDWR | O_CREAT | O_EXCL | O_APPEND | noFollow, 0o600);
  try {
    // Whole and locked before it has the name under which others look for it.
    system?.lockFile(fd);
    writeLine(fd, header);
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
export function takeOverSpoolFile(
  path: string,
  system: SystemCalls | undefined,
): { file: SpoolFile; contents: SpoolContents } | undefined {
  const fd = openSync(path, O_RDWR | O_APPEND | noFollow);
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
  return { file: spoolFileOf(path, fd, contents.header, system), contents };
}

function spoolFileOf(path: string, first: number, header: SpoolHeader, system: SystemCalls | undefined): SpoolFile {
  let fd = first;
  let bytes = fstatSync(fd).size;
  return {
    append(report) {
      bytes += writeLine(fd, report);
      if (isEnd(report)) fsyncSync(fd);
      // A disk that cannot do this is found out by the next write.
      if (report.operation === "create") fsync(fd, () => {});
    },
    acknowledge(sequence) {
      bytes += writeLine(fd, { acked: sequence });
    },
    rewrite(begin, acked, pending) {
      const fresh = openSync(`${path}.new`, O_RDWR | O_CREAT | O_APPEND | noFollow | constants.O_TRUNC, 0o600);
      system?.lockFile(fresh);
      const kept = begin && !pending.includes(begin) ? [begin, ...pending] : pending;
      try {
        bytes = [header, ...kept, { acked }].reduce((sum, line) => sum + writeLine(fresh, line), 0);
        fsyncSync(fresh);
        renameSync(`${path}.new`, path);
      } catch (error) {
        rmSync(`${path}.new`, { force: true });
        closeSync(fresh);
        throw error;
      }
      closeSync(fd);
      fd = fresh;
    },
    bytes: () => bytes,
    remove() {
      rmSync(path, { force: true });
      closeSync(fd);
    },
    close: () => closeSync(fd),
  };
}

function writeLine(fd: number, line: object): number {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  if (writeSync(fd, bytes) < bytes.length) throw new Error("no space left on device");
  return bytes.length;
}
