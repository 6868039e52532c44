import type { FilterOf } from "@holdfast/client";

/** What has to hold for every task of a list. */
export type TaskFilter = FilterOf<"tasks", "list-tasks">;
