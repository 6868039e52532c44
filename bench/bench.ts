import type { Peer } from "./peers/start-peers";
import type { Aim, Row, Tell } from "./rows/row";
import type { Ours } from "./sides/ours";
import type { Side } from "./sides/side";

/** What a run is asked for. */
export interface Options {
  tasks: number;
  seconds: number;
  rounds: number;
  quick: boolean;
  processes: number;
  /** The largest size of what grows. */
  most: number;
}

/** What every group of rows is measured with. */
export interface Bench {
  options: Options;
  /** Where all data of the run is. */
  folder: string;
  ours: Ours;
  /** Ours with 1,000 tasks. */
  small: Ours;
  bare: Side;
  peers: readonly Peer[];
  tell: Tell;
  /** Measures a row and keeps what came of it. */
  measure(row: Row): Promise<void>;
  figure: Figure;
}

/** Keeps a figure that was measured once. */
export type Figure = (group: string, what: string, value: number, unit: string, aim?: Aim) => Promise<void>;
