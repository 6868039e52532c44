import type { Random } from "../load/random";
import type { Known } from "../load/task-lists";
import type { Row } from "../result";
import type { Headers, Ours } from "../sides/ours";

/** A run, for every part of it. */
export interface Bench {
  ours: Ours;
  /** A token that reports tasks. */
  reporter: Headers;
  known: Known;
  random: Random;
  folder: string;
  /** Seconds of the part under reports; other parts take a share of it. */
  seconds: number;
  keep(row: Row): void;
  tell(line: string): void;
}
