import { type Expression, type SqlBool, sql } from "kysely";
import { unitsWith } from "../access/rights";
import { never } from "./comparisons";
import type { ListScope } from "./list-source";

/**
 * Rows of a table that a caller may see from a unit: people see their own from everywhere, and those of the unit and below it are
 * seen where the permission is held.
 */
export function ownOrCovered(table: string, { caller, unitId, permission }: ListScope): Expression<SqlBool>[] {
  const covering = unitsWith(caller, permission);
  const own = caller.userId === null ? [] : [sql<SqlBool>`${sql.ref(`${table}.user_id`)} = ${caller.userId}`];
  const covered =
    covering.length === 0
      ? []
      : [
          sql<SqlBool>`${sql.ref(`${table}.organizational_unit_id`)} in (
            select unit_id from organizational_unit_paths where ancestor_id = ${unitId}
              and unit_id in (select unit_id from organizational_unit_paths where ancestor_id in (${sql.join(covering)})))`,
        ];
  // No caller gets here with neither; if one did, there would be nothing to see.
  return [sql<SqlBool>`(${sql.join([never, ...own, ...covered], sql` or `)})`];
}
