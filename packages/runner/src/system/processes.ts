import { readdirSync, readFileSync } from "node:fs";
import { isOwnChild } from "./orphans";

/** A process as /proc shows it. */
interface ProcessFacts {
  parent: number;
  group: number;
  session: number;
  /** 0 where it has no terminal. */
  terminal: number;
  /** The group in the foreground of its terminal. */
  foreground: number;
  isZombie: boolean;
  /** When it was started, in the system's own count: the number of an ended process may be given to another one. */
  startedAt: number;
}

/** Reads what /proc says of a process; undefined where there is no such process, or no /proc. */
function readProcess(pid: number | "self"): ProcessFacts | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may have any character, so what follows the last one is read.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const [parent = 0, group = 0, session = 0, terminal = 0, foreground = 0] = fields.slice(1, 6).map(Number);
    return {
      parent,
      group,
      session,
      terminal,
      foreground,
      isZombie: fields[0] === "Z",
      startedAt: Number(fields[19]),
    };
  } catch {
    return undefined;
  }
}

/** True if this process is in the foreground of a terminal, so that Ctrl-C reaches its whole group. */
export function isInForeground(): boolean {
  const self = readProcess("self");
  return self !== undefined && self.terminal !== 0 && self.foreground === self.group;
}

/** The numbers of the signals that this process ignored when it was started. */
export function ignoredSignals(): ReadonlySet<number> {
  try {
    const mask = BigInt(`0x${/^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1] ?? 0}`);
    return new Set(Array.from({ length: 64 }, (_, bit) => bit + 1).filter((one) => (mask >> BigInt(one - 1)) & 1n));
  } catch {
    return new Set();
  }
}

/** Processes by number, each with the moment of its start: both together name one process for good. */
export type ProcessTree = ReadonlyMap<number, number>;

/** By what the processes of a command are known. */
export interface CommandMarks {
  pid: number;
  /** True if the command has a session of its own. */
  ownSession: boolean;
  /** True if orphans of it are children of this process. */
  adoptsOrphans: boolean;
}

/**
 * The living processes of a command: what descends from it, orphans that were adopted, and what is in the session that was
 * made for it. Undefined without /proc. Processes that were seen before are looked for as well, because their parents may
 * have ended.
 */
export function findProcessTree(marks: CommandMarks, seen: ProcessTree): ProcessTree | undefined {
  const { pid: command, ownSession, adoptsOrphans } = marks;
  const all = readAll();
  if (!all) return undefined;
  const known = [...seen].filter(([pid, startedAt]) => all.get(pid)?.startedAt === startedAt);
  const tree = new Set(known.map(([pid]) => pid));
  // Once it was seen, its number may be another process's.
  if (!seen.has(command)) tree.add(command);
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const [pid, { parent, session }] of all) {
      const isOrphan = adoptsOrphans && parent === process.pid && !isOwnChild(pid);
      if (isOrphan || tree.has(parent) || (ownSession && session === command)) tree.add(pid);
    }
  }
  return new Map(
    [...tree].flatMap((pid) => {
      const facts = all.get(pid);
      return facts && !facts.isZombie ? [[pid, facts.startedAt] as const] : [];
    }),
  );
}

function readAll(): Map<number, ProcessFacts> | undefined {
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    if (pids.length === 0) return undefined;
    return new Map(
      pids.flatMap((name) => {
        const facts = readProcess(Number(name));
        return facts ? [[Number(name), facts] as const] : [];
      }),
    );
  } catch {
    return undefined;
  }
}

/** Uptime of this machine, in milliseconds: the one clock that all its processes share. */
export function uptimeMs(): number | undefined {
  try {
    return Math.round(Number(readFileSync("/proc/uptime", "latin1").split(" ")[0]) * 1000);
  } catch {
    return undefined;
  }
}

/** Id that changes with every start of this machine. */
export function bootId(): string | undefined {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return undefined;
  }
}
