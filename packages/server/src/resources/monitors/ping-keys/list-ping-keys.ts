import type { PingKeyFilterField } from "@holdfast/api/resources/ping-keys";
import { type Selectable, type SqlBool, sql } from "kysely";
import type { PingKeyTable } from "../../../database/schema";
import { compareFolded } from "../../../lists/comparisons";
import { createTableSource } from "../../../lists/table-source";

const columns = [
  "id",
  "organizational_unit_id",
  "name",
  "category",
  "type",
  "may_create",
  "default_period_seconds",
  "created_at",
] as const;

/** A ping key as it is stored: everything but the key. */
export type PingKeyRow = Pick<Selectable<PingKeyTable>, (typeof columns)[number]>;

/** Lists the ping keys of a unit and below it, newest first. */
export const pingKeySource = createTableSource<PingKeyRow, PingKeyFilterField>({
  table: "ping_keys",
  key: "created_at",
  id: "id",
  arrival: "seq",
  order: "down",
  columns,
  scope: ({ unitId }) => [
    sql<SqlBool>`ping_keys.organizational_unit_id in
      (select unit_id from organizational_unit_paths where ancestor_id = ${unitId})`,
  ],
  compare: (condition) => compareFolded("ping_keys.name_folded", condition),
});
