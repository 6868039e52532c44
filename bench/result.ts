/** A run of the benchmark, as its JSON file has it. */
export interface BenchRun {
  /** When it ended. */
  at: string;
  commit: string;
  machine: { processor: string; cores: number; memoryGiB: number; system: string };
  /** The load of the machine when the run began and when it ended: how much others used it. */
  loadAverage: [number, number];
  runtime: string;
  options: { tasks: number; seconds: number; processes: number; database: "SQLite" | "PostgreSQL" };
  rows: Row[];
  minutes: number;
}

/** One line of the table. */
export interface Row {
  group: Group;
  what: string;
  value: number;
  unit: string;
  aim: string | null;
  isHeld: boolean | null;
  /** The worst variant, the other side of a ratio, the number of requests. */
  detail: string;
}

/** The groups of rows: while reports come in, alone, beside the peer, and the optional parts. */
export type Group = "p95" | "also" | "peer" | "units" | "runner";

export interface Aim {
  atMost?: number;
  atLeast?: number;
  /** Requests that were rejected: with any, no aim is held. */
  rejected?: number;
}

/** Makes a row and judges it. */
export function rowOf(group: Group, what: string, value: number, unit: string, aim: Aim = {}, detail = ""): Row {
  const { atMost, atLeast, rejected = 0 } = aim;
  const number = (limit: number) => `${limit.toLocaleString("en")}${unit}`;
  const words =
    atMost === undefined ? atLeast !== undefined && `at least ${number(atLeast)}` : `at most ${number(atMost)}`;
  const isWithin = atMost === undefined ? value >= (atLeast ?? 0) : value <= atMost;
  const said = [detail, ...(rejected > 0 ? [`${rejected} rejected`] : [])].filter(Boolean).join("; ");
  return {
    group,
    what,
    value,
    unit,
    aim: words || null,
    isHeld: words ? isWithin && rejected === 0 : null,
    detail: said,
  };
}
