/** How a protected entity stands, in the order in which they are sorted: what needs attention first. */
export const entityStates = ["never", "failing", "missed", "stale", "incomplete", "unwatched", "good"] as const;

export type EntityState = (typeof entityStates)[number];

/** How many operations of an entity are kept. */
export const operationsKept = 100;

/** How many of its last backups an entity shows, and each of its operations. */
export const recentTasksShown = 30;
