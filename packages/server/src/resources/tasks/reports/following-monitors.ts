import type { Queries } from "../../../database/database";
import { hashOf } from "../../../database/protection/entity-rows";
import type { TaskRecord } from "../record";

/** A task without a monitor, as far as it decides whether one follows it. */
export interface FollowedWork {
  unitId: string;
  operation: string;
  entity: NonNullable<TaskRecord["primary_entity"]>;
}

/** Finds the monitor that follows some work; undefined if none does. */
export type FindFollower = (work: FollowedWork | undefined) => string | undefined;

/**
 * Reads which monitors follow some work: those of its unit that name its operation and what it protects. So runs of a job that
 * knows of no monitor are watched. If there are several, the first that was made has the run.
 */
export async function readFollowers(db: Queries, works: readonly FollowedWork[]): Promise<FindFollower> {
  if (works.length === 0) return () => undefined;
  const rows = await db
    .selectFrom("monitors")
    .select(["id", "organizational_unit_id", "operation", "primary_entity"])
    .where("organizational_unit_id", "in", [...new Set(works.map(({ unitId }) => unitId))])
    .where("operation", "in", [...new Set(works.map(({ operation }) => operation))])
    .orderBy("seq", "desc")
    .execute();
  const followers = new Map(
    rows.map((row) => [placeOf(row.organizational_unit_id, row.operation, JSON.parse(row.primary_entity)), row.id]),
  );
  return (work) => work && followers.get(placeOf(work.unitId, work.operation, work.entity));
}

function placeOf(unitId: string, operation: string | null, entity: FollowedWork["entity"]): string {
  return JSON.stringify([unitId, operation, hashOf(entity)]);
}

/** The work that a task without a monitor belongs to; undefined if it has one, or protects nothing. */
export function followedWork(
  task: Pick<TaskRecord, "monitor_id" | "organizational_unit_id" | "type" | "operation" | "primary_entity">,
): FollowedWork | undefined {
  const { monitor_id, organizational_unit_id: unitId, type, operation = type, primary_entity: entity } = task;
  return monitor_id === undefined && entity ? { unitId, operation, entity } : undefined;
}
