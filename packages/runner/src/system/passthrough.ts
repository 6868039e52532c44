import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { SystemCalls } from "./libc";

/** A pipe that can be written to takes at least so much without blocking. */
const atOnce = 4096;
/** Delay for a reader that is behind, in milliseconds. */
const pause = 5;

/** Writes bytes to a stream of this process, in order, without blocking anything else. False: the reader has gone. */
export type Passthrough = (bytes: Uint8Array) => Promise<boolean>;

/**
 * Makes a writer for stdout or stderr. It never goes through the runtime's own streams: those make an inherited stream
 * non-blocking, and other programs that share it then get EAGAIN.
 */
export function createPassthrough(fd: number, system: SystemCalls | undefined): Passthrough {
  const write = async (bytes: Uint8Array): Promise<boolean> => {
    for (let at = 0; at < bytes.length; ) {
      if (system && !system.canWrite(fd)) {
        await sleep(pause);
        continue;
      }
      try {
        at += writeSync(fd, bytes, at, Math.min(atOnce, bytes.length - at));
      } catch (error) {
        if (isErrno(error, "EPIPE")) return false;
        // A full disk or a terminal that has gone: a command mostly runs on when its words cannot be written.
        if (!isErrno(error, "EAGAIN")) return true;
        await sleep(pause);
      }
    }
    return true;
  };
  let previous: Promise<boolean> = Promise.resolve(true);
  return (bytes) => {
    // One after the other: a line of our own must not come between two parts of a piece.
    previous = previous.then(() => write(bytes));
    return previous;
  };
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
