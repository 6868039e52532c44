import type { Task } from "@holdfast/client";
import { createStore } from "./store";

/** What runs now, newest first, and how much of it there is. */
export interface Running {
  tasks: readonly Task[];
  total: number;
}

/** What the stream of the overview says, for the header as well; undefined while no stream is read. */
export const runningNow = createStore<Running | undefined>(undefined);
