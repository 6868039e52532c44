import { followProtectedEntities } from "./entities/follow-tasks";
import { watchRecovery } from "./entities/recovered-items";
import { followRuns, type MonitorTurn } from "./monitors/follow-runs";
import type { FollowTasks } from "./tasks/reports/follow-tasks";
import { type Happening, happeningsOf } from "./webhooks/happenings";
import { queueDeliveries } from "./webhooks/queue-deliveries";

/** Updates other resources after a change of tasks, in this order. */
export const followTasks: FollowTasks = async (db, changes, now) => {
  const turns = await followRuns(db, changes, now);
  const findRecovered = await watchRecovery(db, changes);
  await followProtectedEntities(db, changes, now);
  const recovered = (await findRecovered()).map((task): Happening => ({ event: "entity.good", task }));
  await queueDeliveries(db, [...happeningsOf(changes), ...turns.map(happeningOf), ...recovered], now);
};

function happeningOf({ turn, task }: MonitorTurn): Happening {
  return { event: turn === "down" ? "monitor.down" : "monitor.up", task };
}
