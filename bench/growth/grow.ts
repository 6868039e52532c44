import type { Figure, Options } from "../bench";
import type { Growth } from "../result";
import type { Tell } from "../rows/row";
import type { Ours } from "../sides/ours";

/** What growth is measured with. */
export interface Growing {
  options: Options;
  folder: string;
  serverUrl: string | undefined;
  /** Starts our service on so many demonstration tasks. */
  start(tasks: number, processes?: number): Promise<Ours>;
  tell: Tell;
  figure: Figure;
}

export type Grow = (growing: Growing) => Promise<Growth>;
