import type { Task } from "@holdfast/client";
import { createStore } from "./store";

/** Tasks that run now, newest first, and their number. */
export interface Running {
  tasks: readonly Task[];
  total: number;
}

/** Running tasks as the overview's stream reports them, for the header as well; undefined while no stream is read. */
export const runningNow = createStore<Running | undefined>(undefined);
