import type { Condition } from "@holdfast/api/conventions/filter";
import type { ApiTokenFilterField } from "@holdfast/api/resources/api-tokens";
import { type Expression, type SqlBool, sql } from "kysely";
import { compareExactly, compareFolded } from "../../lists/comparisons";
import type { ListScope } from "../../lists/list-source";
import { createTableSource } from "../../lists/table-source";

/** A token as it is stored: everything but the token. */
export interface ApiTokenRow {
  id: string;
  name: string;
  kind: "personal" | "service";
  organizational_unit_id: string;
  user_id: string | null;
  role_id: string | null;
  created_by: string | null;
  created_at: number;
  expires_at: number;
  ends_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  last_used_address: string | null;
  last_used_client: string | null;
}

/** Lists tokens, newest first: those of the unit and below that the caller manages, and the caller's own. */
export const apiTokenSource = createTableSource<ApiTokenRow, ApiTokenFilterField>({
  table: "api_tokens",
  key: "created_at",
  id: "id",
  arrival: "seq",
  order: "down",
  columns: [
    "id",
    "name",
    "kind",
    "organizational_unit_id",
    "user_id",
    "role_id",
    "created_by",
    "created_at",
    "expires_at",
    "ends_at",
    "revoked_at",
    "last_used_at",
    "last_used_address",
    "last_used_client",
  ],
  scope: visibleTokens,
  compare: compareToken,
});

/** A person's own tokens are seen from everywhere; those of others where the permission is held. */
function visibleTokens({ caller, unitId, permission }: ListScope): Expression<SqlBool>[] {
  const covering = caller.roles.filter((role) => role.permissions.has(permission)).map((role) => role.unitId);
  const own = caller.userId === null ? [] : [sql<SqlBool>`api_tokens.user_id = ${caller.userId}`];
  const managed =
    covering.length === 0
      ? []
      : [
          sql<SqlBool>`api_tokens.organizational_unit_id in (
            select unit_id from organizational_unit_paths where ancestor_id = ${unitId}
              and unit_id in (select unit_id from organizational_unit_paths where ancestor_id in (${sql.join(covering)})))`,
        ];
  // No caller gets here with neither; if one did, there would be nothing to see.
  return [sql<SqlBool>`(${sql.join([sql<SqlBool>`1 = 0`, ...own, ...managed], sql` or `)})`];
}

function compareToken(condition: Condition<ApiTokenFilterField>): Expression<SqlBool> {
  return condition.field === "name"
    ? compareFolded("api_tokens.name_folded", condition)
    : compareExactly(`api_tokens.${condition.field}`, condition);
}
