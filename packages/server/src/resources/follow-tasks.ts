import { followProtectedEntities } from "./entities/follow-tasks";
import { followRuns } from "./monitors/follow-runs";
import type { FollowTasks } from "./tasks/follow-tasks";

/** What follows a change of tasks in other resources, in this order. */
export const followTasks: FollowTasks = async (db, changes, now) => {
  if (changes.length === 0) return;
  await followRuns(db, changes, now);
  await followProtectedEntities(db, changes, now);
};
