import type { FilterOf } from "@holdfast/client";

/** Conditions that every task of a list fulfils. */
export type TaskFilter = FilterOf<"tasks", "list-tasks">;
