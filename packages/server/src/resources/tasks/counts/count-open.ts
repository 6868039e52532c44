import { type Liveness, livenesses } from "@holdfast/api/resources/task-words";
import type { Queries } from "../../../database/database";

const openStatuses = ["queued", "in_progress", "aborting"] as const;

/** Number of open tasks and leases. */
export interface OpenCounts {
  tasks: { status: (typeof openStatuses)[number]; count: number }[];
  leases: { liveness: Liveness | "good"; count: number }[];
}

/** Counts what has not ended, in all units. */
export async function countOpen(db: Queries): Promise<OpenCounts> {
  const tasks = await db
    .selectFrom("task_totals")
    .select(({ fn }) => ["status", fn.sum<number>("count").as("count")])
    .where("status", "in", openStatuses)
    .groupBy("status")
    .execute();
  const leases = await db
    .selectFrom("task_leases")
    .select(({ fn }) => ["liveness", fn.countAll<number>().as("count")])
    .where("ended_at", "is", null)
    .groupBy("liveness")
    .execute();
  return {
    tasks: openStatuses.map((status) => ({
      status,
      count: tasks.find((one) => one.status === status)?.count ?? 0,
    })),
    leases: [
      ...livenesses.map((liveness) => ({
        liveness,
        count: leases.find((one) => one.liveness === liveness)?.count ?? 0,
      })),
      { liveness: "good", count: leases.find((one) => one.liveness === "")?.count ?? 0 },
    ],
  };
}
