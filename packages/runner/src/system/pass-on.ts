import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { SystemCalls } from "./libc";

/** A pipe that can be written to takes at least so much without blocking. */
const atOnce = 4096;
/** How long to wait for a reader that is behind, in milliseconds. */
const pause = 5;

/** Writes bytes to a stream of this process, in order, without blocking anything else. False: the reader has gone. */
export type PassOn = (bytes: Uint8Array) => Promise<boolean>;

/**
 * Makes a writer for stdout or stderr. It never goes through the runtime's own streams: those make an inherited stream
 * non-blocking, and other programs that share it then get EAGAIN.
 */
export function createPassOn(fd: number, system: SystemCalls | undefined): PassOn {
  return async (bytes) => {
    for (let at = 0; at < bytes.length; ) {
      if (system && !system.canWrite(fd)) {
        await sleep(pause);
        continue;
      }
      try {
        at += writeSync(fd, bytes, at, Math.min(atOnce, bytes.length - at));
      } catch (error) {
        if (!isErrno(error, "EAGAIN")) return false;
        await sleep(pause);
      }
    }
    return true;
  };
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
