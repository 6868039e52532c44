import type { FollowTasks } from "./tasks/follow-tasks";

/** What follows a change of tasks in other resources, in this order. */
export const followTasks: FollowTasks = async (_db, changes) => {
  if (changes.length === 0) return;
};
