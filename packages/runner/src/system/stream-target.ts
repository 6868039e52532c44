import { fstatSync } from "node:fs";
import { isatty } from "node:tty";

/** Target of a stream. */
export type StreamTarget = "terminal" | "socket" | "null" | "pipe" | "file" | "closed" | "other";

/** The number of /dev/null among devices. */
const nullDevice = 0x103;

/** Finds the target of a stream of this process. */
export function targetOf(fd: number): StreamTarget {
  try {
    if (isatty(fd)) return "terminal";
    const facts = fstatSync(fd);
    if (facts.isSocket()) return "socket";
    if (facts.isFIFO()) return "pipe";
    if (facts.isFile()) return "file";
    return facts.isCharacterDevice() && facts.rdev === nullDevice ? "null" : "other";
  } catch {
    return "closed";
  }
}
