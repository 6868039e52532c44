import { refuseField } from "@holdfast/api/conventions/api-error";
import { parseUuid } from "@holdfast/api/conventions/uuid";
import { slugPattern } from "@holdfast/api/resources/monitors";
import type { Selectable } from "kysely";
import type { Queries } from "../../../database/database";
import type { MonitorTable } from "../../../database/schema";

/** Fields that a task takes from its monitor. */
export type TaskMonitor = Pick<
  Selectable<MonitorTable>,
  "id" | "slug" | "operation" | "category" | "type" | "primary_entity"
>;

/** Finds the monitor that a new task names by id or slug, in the unit of the task. */
export async function requireTaskMonitor(db: Queries, unitId: string, idOrSlug: string): Promise<TaskMonitor> {
  const id = parseUuid(idOrSlug);
  // A slug can look like an id; then the id counts.
  const found =
    (id === undefined ? undefined : await findIn(db, unitId, "id", id)) ??
    (slugPattern.test(idOrSlug) ? await findIn(db, unitId, "slug", idOrSlug) : undefined);
  if (found) return found;
  throw refuseField(
    "bodyInvalid",
    "/monitor_id",
    'The field "monitor_id" has to be the id or the slug of a monitor in the organizational unit of the task. Create it there first, or name another one.',
  );
}

async function findIn(
  db: Queries,
  unitId: string,
  column: "id" | "slug",
  value: string,
): Promise<TaskMonitor | undefined> {
  return db
    .selectFrom("monitors")
    .select(["id", "slug", "operation", "category", "type", "primary_entity"])
    .where("organizational_unit_id", "=", unitId)
    .where(column, "=", value)
    .executeTakeFirst();
}
