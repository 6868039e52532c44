import { followProtectedEntities } from "./entities/follow-tasks";
import { watchRecovery } from "./entities/recovered-items";
import { followRuns, type MonitorTransition } from "./monitors/follow-runs";
import type { FollowTasks } from "./tasks/reports/follow-tasks";
import { queueDeliveries } from "./webhooks/queue-deliveries";
import { type TaskEvent, taskEventsOf } from "./webhooks/webhook-events";

/** Updates other resources after a change of tasks, in this order. */
export const followTasks: FollowTasks = async (db, changes, now) => {
  const turns = await followRuns(db, changes, now);
  const findRecovered = await watchRecovery(db, changes);
  await followProtectedEntities(db, changes, now);
  const recovered = (await findRecovered()).map((task): TaskEvent => ({ event: "entity.good", task }));
  await queueDeliveries(db, [...taskEventsOf(changes), ...turns.map(taskEventOf), ...recovered], now);
};

function taskEventOf({ turn, task }: MonitorTransition): TaskEvent {
  return { event: turn === "down" ? "monitor.down" : "monitor.up", task };
}
