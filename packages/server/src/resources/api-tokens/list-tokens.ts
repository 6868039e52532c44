import type { Condition } from "@holdfast/api/conventions/filter";
import type { ApiTokenFilterField, ApiTokenSort } from "@holdfast/api/resources/api-tokens";
import { type Expression, type Selectable, type SqlBool, sql } from "kysely";
import type { Queries } from "../../database/database";
import type { ApiTokenTable } from "../../database/schema";
import { compareExactly, compareFlag, compareFolded, compareTime } from "../../lists/comparisons";
import { ownOrCovered } from "../../lists/own-or-covered";
import { createTableSource, type SortedColumn, type TableSource } from "../../lists/table-source";

const columns = [
  "id",
  "name",
  "name_folded",
  "kind",
  "organizational_unit_id",
  "user_id",
  "role_id",
  "created_by",
  "created_at",
  "expires_at",
  "ends_at",
  "revoked_at",
  "base_url",
  "last_used_at",
  "last_used_address",
  "last_used_client",
] as const;

/** A token as it is stored: everything but the token. */
export type ApiTokenRow = Pick<Selectable<ApiTokenTable>, (typeof columns)[number]>;

const sorts: Record<ApiTokenSort, readonly SortedColumn<ApiTokenRow>[]> = {
  name: ["name_folded"],
  expires_timestamp: ["expires_at"],
};

/**
 * Lists tokens as of a moment, newest first: those of the unit and below that the caller manages, and the caller's own. The
 * moment decides which rotated tokens have ended.
 */
export function apiTokenSource(now: number): TableSource<ApiTokenRow, ApiTokenFilterField> {
  return createTableSource<ApiTokenRow, ApiTokenFilterField>({
    table: "api_tokens",
    key: "created_at",
    id: "id",
    arrival: "seq",
    order: "down",
    sorts,
    columns,
    scope: (scope) => ownOrCovered("api_tokens", scope),
    compare: (condition) => compareToken(condition, now),
  });
}

/** Reads one token that the caller may see from the unit, or nothing. */
export const findToken = apiTokenSource(0).find;

/** Reads one token without checking who may see it: for the token itself. */
export function readOwnToken(db: Queries, id: string): Promise<ApiTokenRow | undefined> {
  return db.selectFrom("api_tokens").select(columns).where("id", "=", id).executeTakeFirst();
}

function compareToken(condition: Condition<ApiTokenFilterField>, now: number): Expression<SqlBool> {
  switch (condition.field) {
    case "name":
      return compareFolded("api_tokens.name_folded", condition);
    case "expires_timestamp":
      return compareTime("api_tokens.expires_at", condition, { byIndex: false });
    case "is_revoked":
      return compareFlag(
        sql<SqlBool>`(api_tokens.revoked_at is not null or coalesce(api_tokens.ends_at, ${now + 1}) <= ${now})`,
        condition,
      );
    default:
      return compareExactly(`api_tokens.${condition.field}`, condition);
  }
}
