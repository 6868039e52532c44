import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, writeSync } from "node:fs";

/** Ending of a run of the tests. */
export interface ReportedEnd {
  status: "completed" | "failed" | "aborted";
  outcome: string;
  code: string | null;
}

/** One thing that a runner really did: what it has to report, and when that was by its wall clock. */
export interface RunnerReport {
  task: string;
  sequence: number;
  /** Body, but for its age. */
  body: Record<string, unknown>;
  isQueued: boolean;
  percentage: number;
  ended: ReportedEnd | null;
  at: number;
}

/** Line of a ledger. */
export type Entry =
  | { kind: "started" }
  | ({ kind: "did" } & RunnerReport)
  /** A report that was acknowledged. */
  | { kind: "heard"; task: string; sequence: number }
  /** An answer that no runner of the tests should get. */
  | { kind: "refused"; task: string; sequence: number; answer: string };

/** Where a runner writes down what it does before it says so, and what it was answered. */
export interface Ledger {
  write(entry: Entry): void;
  close(): void;
}

/** Opens a ledger. What was written to it outlives the process, and the machine. */
export function openLedger(file: string): Ledger {
  const handle = openSync(file, "a", 0o600);
  return {
    write(entry) {
      writeSync(handle, `${JSON.stringify(entry)}\n`);
      fdatasyncSync(handle);
    },
    close: () => closeSync(handle),
  };
}

/** Reads a ledger; one that nobody has begun is empty. */
export function readLedger(file: string): Entry[] {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines.filter((line) => line !== "").map((line): Entry => JSON.parse(line));
}

/** One run, as its runner knows it. */
export interface Run {
  task: string;
  sentReports: RunnerReport[];
  heard: Set<number>;
  refused: string[];
  /** True if the process that ran it was the last one with this ledger. */
  isLatest: boolean;
}

/** Puts the entries of a ledger together, by run. */
export function runsOf(entries: readonly Entry[]): Map<string, Run> {
  const runs = new Map<string, Run>();
  for (const entry of entries) {
    if (entry.kind === "started") {
      for (const run of runs.values()) run.isLatest = false;
      continue;
    }
    const run = runs.get(entry.task) ?? {
      task: entry.task,
      sentReports: [],
      heard: new Set(),
      refused: [],
      isLatest: true,
    };
    runs.set(entry.task, run);
    if (entry.kind === "did") run.sentReports.push(entry);
    if (entry.kind === "heard") run.heard.add(entry.sequence);
    if (entry.kind === "refused") run.refused.push(entry.answer);
  }
  return runs;
}
