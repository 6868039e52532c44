import { parseArgs } from "node:util";
import type { Options } from "./bench";

/** The parts of a run, in their order. */
export const parts = ["runner", "lists", "times", "counts", "reports", "streams", "growth"] as const;
export type Part = (typeof parts)[number];

export interface Arguments extends Options {
  /** Where the data is kept for the next run; without it, in a temporary folder. */
  data: string | undefined;
  /** Where the report is written. */
  out: string;
  /** Whether the documentation takes its figures from this run. */
  keep: boolean;
  postgres: boolean;
  postgresUrl: string | undefined;
  peers: boolean;
  isWanted(part: Part): boolean;
}

/** What `--quick` leaves out: each takes a minute and more. */
const tooLongForQuick: readonly Part[] = ["streams"];

export function readArguments(argv: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      quick: { type: "boolean", default: false },
      tasks: { type: "string" },
      seconds: { type: "string" },
      rounds: { type: "string" },
      data: { type: "string" },
      out: { type: "string", default: "bench/results/last" },
      keep: { type: "boolean", default: false },
      postgres: { type: "boolean", default: false },
      postgres_url: { type: "string" },
      processes: { type: "string", default: "1" },
      most: { type: "string" },
      without_peers: { type: "boolean", default: false },
      only: { type: "string" },
    },
  });
  const { quick } = values;
  const only = values.only?.split(",");
  const unknown = only?.filter((name) => !parts.some((part) => part === name)) ?? [];
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(", ")}. Choose from ${parts.join(", ")}.`);
  return {
    quick,
    tasks: number("tasks", values.tasks, quick ? 100_000 : 1_000_000),
    seconds: number("seconds", values.seconds, quick ? 0.2 : 2),
    rounds: number("rounds", values.rounds, quick ? 2 : 3),
    processes: number("processes", values.processes, 1),
    most: number("most", values.most, quick ? 100_000 : 10_000_000),
    data: values.data,
    out: values.out,
    keep: values.keep,
    postgres: values.postgres,
    postgresUrl: values.postgres_url,
    peers: !values.without_peers,
    isWanted: (part) => (only ? only.includes(part) : !(quick && tooLongForQuick.includes(part))),
  };
}

function number(name: string, text: string | undefined, usual: number): number {
  const value = text === undefined ? usual : Number(text);
  if (!(value > 0)) throw new Error(`--${name} has to be a number above 0.`);
  return value;
}
