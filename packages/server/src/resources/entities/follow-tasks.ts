import { followEntities } from "../../database/protection/follow-tasks";
import type { FollowTasks } from "../tasks/reports/follow-tasks";
import { seenTask } from "../tasks/reports/seen-task";

/** Keeps what is known of protected entities in step with the tasks that reports change. */
export const followProtectedEntities: FollowTasks = (db, changes) =>
  followEntities(
    db,
    changes.map(({ task, before }) => ({ task: seenTask(task), before: before && seenTask(before) })),
  );
