import { setTimeout as sleep } from "node:timers/promises";
import { findProcessTree } from "../system/processes";
import type { SpawnedCommand } from "../system/spawn-command";

export interface StopRequest {
  politeSignal: "SIGINT" | "SIGTERM";
  graceMs: number;
  /** True if the command has a session of its own. */
  ownSession: boolean;
  /** True if orphans of the command are children of this process. */
  adoptsOrphans: boolean;
}

/** Actions that stopped a command. */
export interface Stopped {
  /** The names of the signals, without SIG. */
  signals: string[];
  /** True if no process of it is left: looked up, not assumed. */
  process_tree_ended: boolean;
}

const pollMs = 100;
/** Time after which killing processes that do not end is given up, in milliseconds. */
const killTimeoutMs = 10_000;

/** Stops a command: asks it, waits, and kills what is left of its process tree. */
export async function stopCommand(command: SpawnedCommand, request: StopRequest): Promise<Stopped> {
  const { politeSignal, graceMs, ownSession, adoptsOrphans } = request;
  const diagnostics = new Map<number, number>();
  const signals = [politeSignal.slice(3)];
  const left = () => {
    const tree = findProcessTree({ pid: command.pid, ownSession, adoptsOrphans }, diagnostics);
    for (const [pid, startedAt] of tree ?? []) diagnostics.set(pid, startedAt);
    return tree;
  };

  left();
  command.kill(politeSignal);
  const killAt = performance.now() + graceMs;
  for (let tree = left(); tree === undefined || tree.size > 0; tree = left()) {
    const isOver = performance.now() >= killAt;
    // Without /proc only the command itself can be waited for.
    if (tree === undefined && (await Promise.race([command.ended.then(() => true), sleep(pollMs).then(() => false)])))
      break;
    if (isOver) {
      if (!signals.includes("KILL")) signals.push("KILL");
      for (const pid of tree?.keys() ?? [command.pid]) kill(pid);
      if (performance.now() >= killAt + killTimeoutMs) break;
    }
    await sleep(pollMs);
  }
  return { signals, process_tree_ended: left()?.size === 0 };
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself, or belongs to another user: then it is found again, and said so.
  }
}
