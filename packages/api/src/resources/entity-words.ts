/** How a protected entity stands, in the order in which they are sorted: what needs attention first. */
export const entityStates = ["never", "failing", "missed", "incomplete", "unwatched", "good"] as const;

export type EntityState = (typeof entityStates)[number];

/** How many of its last tasks an entity shows. */
export const recentTasksShown = 30;
