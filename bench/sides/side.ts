import type { Sent } from "../load/connection";
import { type Load, load } from "../load/load";
import type { Sample } from "../rows/row";

/** What a list is asked for, in the words of our filters. */
export interface ListWish {
  start?: number;
  filter?: Record<string, unknown>;
  /** Makes requests that mean the same differ, so that ours is not served from memory. */
  spelling?: number;
}

/** A service that holds tasks, and how it is asked. */
export interface Side {
  name: string;
  url: string;
  pids: readonly number[];
  /** How many tasks it holds. */
  tasks: number;
  list(wish: ListWish): Sent;
  one(id: string): Sent;
  /** Writes the n-th new task. */
  create(n: number): Sent;
}

/** Requests are numbered through the whole run, so that no round asks for what another has asked. */
let asked = 0;

interface How {
  connections: number;
  seconds: number;
}

const run = (side: Side, request: (n: number) => Sent, how: How) => {
  const all: Load = { url: side.url, pids: side.pids, request: () => request(asked++), ...how };
  return load(all);
};

/** Measures how many requests a second are answered. */
export async function throughput(side: Side, request: (n: number) => Sent, how: How): Promise<Sample> {
  const { perSecond, cpu } = await run(side, request, how);
  return { value: perSecond, cpu };
}

/** Measures how many milliseconds an answer takes, over one connection. */
export async function answerTime(side: Side, request: (n: number) => Sent, seconds: number): Promise<Sample> {
  const { median, cpu } = await run(side, request, { connections: 1, seconds });
  return { value: median, cpu };
}

const places = 12;

/** Four texts of a few `&` each, another four for each number up to 20,736; the first three repeat after 1,728. */
export function ampersands(n: number): [string, string, string, string] {
  const at = (power: number) => "&".repeat(Math.floor(n / places ** power) % places);
  return [at(0), at(1), at(2), at(3)];
}
