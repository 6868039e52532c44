import { closeSync } from "node:fs";
import type { SystemCalls } from "./libc";
import { noteOwnChild } from "./orphans";

/** Pipe that the command writes to, as the runner reads it. */
export interface GuardedPipe {
  readEnd: number;
  /** The stream of the runner that it is taken to. */
  target: 1 | 2;
}

/** A process that stands by for the case that the runner is killed. */
export interface Guard {
  /** Ends it: from now on a command whose reader has gone gets SIGPIPE, as it would without us. */
  end(): void;
}

/**
 * Starts a shell that does nothing for as long as this process lives. When the runner is killed, the shell takes what the
 * command writes to where the runner would have: without it, the next line would end the backup with SIGPIPE.
 */
export function startGuard(pipes: readonly GuardedPipe[], system: SystemCalls): Guard {
  if (pipes.length === 0) return { end() {} };
  // Only this process has the other end, so that it is closed when this process is no more.
  const life = system.makePipe();
  const close = pipes.map((_, at) => `${at + 4}<&-`).join(" ");
  const takeOver = pipes.map(({ target }, at) => `cat </proc/self/fd/${at + 4} >&${target} ${close} &`).join(" ");
  // By their names, because our own ends never block. A shell that cannot wait must not take anything, and what it holds
  // open would keep SIGPIPE from a command whose reader goes later.
  const script = `exec 9</proc/self/fd/3 || exit; while read -r _ <&9; do :; done; ${takeOver} exec ${close}; wait`;
  try {
    const child = Bun.spawn(["/bin/sh", "-c", script], {
      stdio: ["ignore", "inherit", "inherit", life.readEnd, ...pipes.map(({ readEnd }) => readEnd)],
      env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
      cwd: "/",
      detached: true,
    });
    noteOwnChild(child.pid);
    child.unref();
    const end = () => child.kill("SIGKILL");
    process.on("exit", end);
    return { end };
  } catch {
    // A machine without a shell: there the command lives as long as the runner.
    return { end() {} };
  } finally {
    closeSync(life.readEnd);
  }
}
