import { parseArgs } from "node:util";

export interface Arguments {
  tasks: number;
  /** Seconds of the part under reports; other parts take a share of it. */
  seconds: number;
  processes: number;
  /** The folder of data that is kept for the next run; without it, a temporary one. */
  data: string | undefined;
  /** The folder of the result. */
  out: string;
  /** True if the documentation takes its figures from this run. */
  keep: boolean;
  postgres: boolean;
  postgresUrl: string | undefined;
  withoutPeer: boolean;
  /** The one part to run. */
  only: Part | undefined;
}

/** `p95`, `also` and `peer` are the parts of a usual run; `units` and `runner` only run by name. */
const parts = ["p95", "also", "peer", "units", "runner"] as const;
export type Part = (typeof parts)[number];

export function readArguments(argv: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      tasks: { type: "string", default: "1000000" },
      seconds: { type: "string", default: "100" },
      processes: { type: "string", default: "1" },
      data: { type: "string" },
      out: { type: "string", default: "bench/results/last" },
      keep: { type: "boolean", default: false },
      postgres: { type: "boolean", default: false },
      "postgres-url": { type: "string" },
      "without-peer": { type: "boolean", default: false },
      only: { type: "string" },
    },
  });
  const { tasks, seconds, processes, "postgres-url": postgresUrl, "without-peer": withoutPeer, ...rest } = values;
  const only = parts.find((part) => part === values.only);
  if (values.only !== undefined && only === undefined) {
    throw new Error(`There is no part ${values.only}. Choose from ${parts.join(", ")}.`);
  }
  return {
    ...rest,
    data: values.data,
    tasks: number("tasks", tasks),
    seconds: number("seconds", seconds),
    processes: number("processes", processes),
    postgresUrl,
    withoutPeer,
    only,
  };
}

function number(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0.`);
  return value;
}
