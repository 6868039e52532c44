/** States of a protected entity, in the order in which they are sorted: what needs attention first. */
export const entityStates = ["never", "failing", "missed", "stale", "incomplete", "unwatched", "good"] as const;

export type EntityState = (typeof entityStates)[number];

/** Number of operations that are kept of an entity. */
export const operationsKept = 100;

/** Number of the last backups that an entity shows, and each of its operations. */
export const recentTasksShown = 30;
