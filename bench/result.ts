import type { Spread } from "./load/spread";

/** A run of the benchmark, as its JSON file has it. */
export interface BenchRun {
  /** When it ended. */
  at: string;
  commit: string;
  machine: { processor: string; cores: number; memoryGiB: number; system: string };
  /** The load of the machine when the run began and when it ended: how much others used it. */
  loadAverage: [number, number];
  runtime: string;
  options: {
    tasks: number;
    seconds: number;
    rounds: number;
    quick: boolean;
    database: "SQLite" | "PostgreSQL";
    processes: number;
  };
  /** The columns of the peers, and what has to be said about each. */
  peers: { name: string; about: string }[];
  rows: RowResult[];
  growth: Growth[];
  minutes: number;
}

/** One line of the table. */
export interface RowResult {
  group: string;
  what: string;
  unit: string;
  /** Ours, what it is compared with, and the peers. */
  sides: Record<string, SideResult>;
  ratio: Ratio | null;
  aim: { text: string; isHeld: boolean } | null;
  notes: string[];
}

export interface SideResult {
  value: Spread;
  /** Milliseconds of processor time for each request. */
  cpu: Spread | null;
}

/** Ours of another side: of each round both, and of all rounds the median. */
export interface Ratio extends Spread {
  of: string;
  unit: "%" | "×";
  /** The same of processor time. */
  cpu: Spread | null;
}

/** How something grows. */
export interface Growth {
  name: string;
  /** What grows, and its sizes. */
  axis: string;
  sizes: number[];
  lines: GrowthLine[];
  notes: string[];
}

export interface GrowthLine {
  what: string;
  unit: string;
  /** One for each size; null where it was not measured. */
  values: (Spread | null)[];
  law: string;
}
