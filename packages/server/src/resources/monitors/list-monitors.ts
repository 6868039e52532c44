import type { Condition } from "@holdfast/api/conventions/filter";
import type { MonitorFilterField, MonitorSort } from "@holdfast/api/resources/monitors";
import { type Expression, type SqlBool, sql } from "kysely";
import { unitsWith } from "../../access/rights";
import type { Queries } from "../../database/database";
import { compareExactly, compareFolded, compareTime } from "../../lists/comparisons";
import type { ListScope, ListSource } from "../../lists/list-source";
import { createTableSource, type PlacedRow, type SortedColumn } from "../../lists/table-source";
import type { Monitor } from "./state";

const columns = [
  "id",
  "organizational_unit_id",
  "name",
  "name_lower",
  "slug",
  "category",
  "type",
  "primary_entity",
  "operation",
  "schedule",
  "grace_seconds",
  "run_limit_seconds",
  "body_rules",
  "paused_until",
  "state",
  "state_rank",
  "open_runs",
  "next_expected_at",
  "last_ping_at",
  "last_task_id",
  "missed_in_a_row",
  "last_unwatched_at",
  "recent_outcomes",
  "sealed_url",
  "created_at",
] as const;

/** A monitor as far as it is shown. */
export type MonitorRow = Pick<Monitor, (typeof columns)[number]>;

/** A monitor, and whether the caller may see its ping URL. */
export type ShownMonitor = PlacedRow<MonitorRow> & { showsUrl: boolean };

const sorts: Record<MonitorSort, readonly SortedColumn<MonitorRow>[]> = {
  name: ["name_lower"],
  state: ["state_rank", "name_lower"],
};

const table = createTableSource<MonitorRow, MonitorFilterField>({
  table: "monitors",
  key: "name_lower",
  id: "id",
  arrival: "seq",
  order: "up",
  columns,
  sorts,
  scope: ({ unitId }) => [
    sql<SqlBool>`monitors.organizational_unit_id in
      (select unit_id from organizational_unit_paths where ancestor_id = ${unitId})`,
  ],
  compare: compareMonitor,
});

/** Lists the monitors of a unit and below it. */
export const monitorSource: ListSource<ShownMonitor, MonitorFilterField> = {
  listSnapshot: (snapshot, scope, filter) => table.listSnapshot(snapshot, scope, filter),
  async read(snapshot, scope, filter, slice) {
    return withUrls(snapshot.db, scope, await table.read(snapshot, scope, filter, slice));
  },
};

/** Reads one monitor that the caller may see from the unit, or nothing. */
export async function findMonitor(db: Queries, scope: ListScope, id: string): Promise<ShownMonitor | undefined> {
  const row = await table.find(db, scope, id);
  return row && (await withUrls(db, scope, [row]))[0];
}

/** Says of each monitor whether the caller may change monitors in its unit, and so see its URL. */
async function withUrls(
  db: Queries,
  { caller }: ListScope,
  rows: readonly PlacedRow<MonitorRow>[],
): Promise<ShownMonitor[]> {
  const covering = unitsWith(caller, "monitors:write");
  const units = [...new Set(rows.map((row) => row.organizational_unit_id))];
  const covered =
    covering.length === 0 || units.length === 0
      ? []
      : await db
          .selectFrom("organizational_unit_paths")
          .select("unit_id")
          .distinct()
          .where("ancestor_id", "in", covering)
          .where("unit_id", "in", units)
          .execute();
  const shown = new Set(covered.map(({ unit_id }) => unit_id));
  return rows.map((row) => ({ ...row, showsUrl: shown.has(row.organizational_unit_id) }));
}

function compareMonitor(condition: Condition<MonitorFilterField>): Expression<SqlBool> {
  switch (condition.field) {
    case "name":
      return compareFolded("monitors.name_folded", condition);
    case "next_expected_timestamp":
      return compareTime("monitors.next_expected_at", condition);
    default:
      return compareExactly(`monitors.${condition.field}`, condition);
  }
}
