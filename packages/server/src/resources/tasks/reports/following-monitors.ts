import { type Selectable, sql } from "kysely";
import type { Queries } from "../../../database/database";
import { asListValue, isInList, type ListValue } from "../../../database/many-rows";
import { prepareQuery } from "../../../database/prepared-query";
import { hashOf } from "../../../database/protection/entity-rows";
import type { MonitorTable } from "../../../database/schema";
import type { TaskRecord } from "../record";

/** A task without a monitor, as far as it decides whether one follows it. */
export interface FollowedWork {
  unitId: string;
  operation: string;
  entity: NonNullable<TaskRecord["primary_entity"]>;
}

/** Finds the monitor that follows some work; undefined if none does. */
export type FindFollower = (work: FollowedWork | undefined) => string | undefined;

type FollowingMonitor = Pick<
  Selectable<MonitorTable>,
  "id" | "organizational_unit_id" | "operation" | "primary_entity"
>;

const monitorsOf = prepareQuery<{ units: ListValue; operations: ListValue }, FollowingMonitor>(
  (slot, db) => sql<FollowingMonitor>`
    select id, organizational_unit_id, operation, primary_entity from monitors
    where organizational_unit_id ${isInList(db, slot("units"))} and operation ${isInList(db, slot("operations"))}
    order by seq desc`,
);

/**
 * Reads which monitors follow some work: those of its unit that name its operation and what it protects. So runs of a job that
 * knows of no monitor are watched. If there are several, the first that was made has the run.
 */
export async function readFollowers(db: Queries, works: readonly FollowedWork[]): Promise<FindFollower> {
  if (works.length === 0) return () => undefined;
  const [units, operations] = [works.map(({ unitId }) => unitId), works.map(({ operation }) => operation)];
  const rows = await monitorsOf.run(db, {
    units: asListValue(db, [...new Set(units)]),
    operations: asListValue(db, [...new Set(operations)]),
  });
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
