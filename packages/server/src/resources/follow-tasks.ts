import type { FollowTasks } from "./tasks/follow-tasks";
import { happeningsOf } from "./webhooks/happenings";
import { queueDeliveries } from "./webhooks/queue-deliveries";

/** What follows a change of tasks in other resources, in this order. */
export const followTasks: FollowTasks = async (db, changes, now) => {
  if (changes.length === 0) return;
  const told = happeningsOf(changes).map((happening) => ({ ...happening, monitor: null }));
  await queueDeliveries(db, told, now);
};
