export const taskStatuses = ["queued", "in_progress", "aborting", "completed", "failed", "aborted"] as const;
export const taskOutcomes = ["success", "warning", "error", "cancelled", "lost", "expired", "missed"] as const;
export const taskCategories = [
  "backup",
  "restore",
  "snapshot",
  "snapshot_restore",
  "system",
  "report_generation",
  "management",
] as const;

/** Worries about a task that has not ended. The first that holds is shown. */
export const livenesses = ["silent", "overdue", "stalled"] as const;

export type TaskStatus = (typeof taskStatuses)[number];
export type TaskOutcome = (typeof taskOutcomes)[number];
export type TaskCategory = (typeof taskCategories)[number];
export type Liveness = (typeof livenesses)[number];

/** Words for the outcomes, in the console and on the command line. */
export const outcomeWords: Readonly<Record<TaskOutcome, string>> = {
  success: "Success",
  warning: "Incomplete",
  error: "Error",
  cancelled: "Cancelled",
  lost: "Lost",
  expired: "Expired",
  missed: "Missed",
};

/** Which outcomes fit which status; the first is the usual one. A task that has not ended has none. */
export const outcomesOf: Readonly<Record<TaskStatus, readonly TaskOutcome[]>> = {
  queued: [],
  in_progress: [],
  aborting: [],
  completed: ["success", "warning"],
  failed: ["error", "lost", "expired", "missed"],
  aborted: ["cancelled", "error"],
};
