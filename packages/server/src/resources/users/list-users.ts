import type { Condition, Filter } from "@holdfast/api/conventions/filter";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { UserFilterField } from "@holdfast/api/resources/users";
import { type Expression, type Selectable, type SqlBool, sql } from "kysely";
import { unitsWith } from "../../access/rights";
import type { Queries } from "../../database/database";
import type { RoleGrantTable, UserTable } from "../../database/schema";
import { allOf, compareExactly, compareFolded, never } from "../../lists/comparisons";
import { countRows } from "../../lists/count-rows";
import { beyond } from "../../lists/keyset";
import type { ListScope, ListSource, Placed, Slice, Snapshot } from "../../lists/list-source";

/** The columns of a user that are shown; others, such as the password hash, are never read with them. */
export const userColumns = [
  "id",
  "email",
  "full_name",
  "time_zone",
  "is_confirmed",
  "is_enabled",
  "inviter_id",
  "created_at",
  "last_active_at",
] as const;

/** A user with the roles that the caller may know of. */
export interface UserRow extends Placed, Pick<Selectable<UserTable>, (typeof userColumns)[number]> {
  grants: Omit<RoleGrantTable, "user_id">[];
}

type UserFilter = Filter<UserFilterField>;

/** Lists users by name. */
export const userSource: ListSource<UserRow, UserFilterField> = {
  listSnapshot: (snapshot, scope, filter) =>
    countRows(snapshot, {
      table: "users",
      arrival: sql.ref("users.seq"),
      visible: allOf(visibleUsers(scope, [])),
      matching: allOf(visibleUsers(scope, filter)),
    }),
  read: readUsers,
};

/** Reads one user whom the caller may see from the unit, or nothing. */
export async function findUser(
  snapshot: Pick<Snapshot, "db">,
  scope: ListScope,
  id: string,
): Promise<UserRow | undefined> {
  const listSnapshot = { total: 1, watermark: Number.MAX_SAFE_INTEGER, furthest: null };
  const [row] = await readUsers(snapshot, scope, [], { listSnapshot, count: 1, from: { skip: 0 } }, id);
  return row;
}

async function readUsers(
  { db }: Pick<Snapshot, "db">,
  scope: ListScope,
  filter: UserFilter,
  { listSnapshot, count, from }: Slice,
  id?: string,
): Promise<UserRow[]> {
  const order = "before" in from ? "desc" : "asc";
  const sorted = { key: "name_lower", id: "id" } as const;
  let query = db
    .selectFrom("users")
    .select([...userColumns, "name_lower"])
    .where(allOf(visibleUsers(scope, filter)))
    // The plus keeps the database from reading by arrival and sorting all of it, which it likes to do for small pages.
    .where(sql<SqlBool>`+seq <= ${listSnapshot.watermark}`)
    .orderBy("name_lower", order)
    .orderBy("id", order)
    .limit(count);
  if (id !== undefined) query = query.where("id", "=", id);
  if ("after" in from) query = query.where(beyond(sorted, from.after, "up"));
  if ("before" in from) query = query.where(beyond(sorted, from.before, "down"));
  if ("skip" in from && from.skip > 0) query = query.offset(from.skip);
  const rows = await query.execute();
  const grants = await readGrants(
    db,
    scope,
    rows.map((row) => row.id),
  );
  return rows.map(({ name_lower, ...row }) => ({
    ...row,
    place: { key: name_lower, id: row.id },
    grants: grants.filter((grant) => grant.user_id === row.id),
  }));
}

async function readGrants(db: Queries, scope: ListScope, userIds: string[]) {
  if (userIds.length === 0) return [];
  return db
    .selectFrom("role_grants")
    .select(["user_id", "role_id", "organizational_unit_id"])
    .where("user_id", "in", userIds)
    .where(allOf(coveredGrants(scope)))
    .orderBy("role_id")
    .orderBy("organizational_unit_id")
    .execute();
}

/** Who holds a role in the unit or below it. Users who hold none are seen from the root alone. */
function visibleUsers({ unitId, ...scope }: ListScope, filter: UserFilter): Expression<SqlBool>[] {
  const conditions = filter.map((condition) => userCondition({ unitId, ...scope }, condition));
  if (unitId === rootUnitId) return conditions;
  return [
    sql<SqlBool>`exists (
      select 1 from role_grants
      join organizational_unit_paths on organizational_unit_paths.unit_id = role_grants.organizational_unit_id
      where role_grants.user_id = users.id and organizational_unit_paths.ancestor_id = ${unitId})`,
    ...conditions,
  ];
}

function userCondition(scope: ListScope, condition: Condition<UserFilterField>): Expression<SqlBool> {
  switch (condition.field) {
    case "id":
      return compareExactly("users.id", condition);
    case "name":
      return sql<SqlBool>`(${compareFolded("name_folded", condition)} or ${compareFolded("email_folded", condition)})`;
    case "role_id":
    case "organizational_unit_id": {
      const held = [compareExactly(condition.field, condition), ...coveredGrants(scope)];
      return sql<SqlBool>`exists (
        select 1 from role_grants where role_grants.user_id = users.id and ${sql.join(held, sql` and `)})`;
    }
  }
}

/** Keeps to grants in units in which the caller may see users: others must not be guessed at, not even by filtering. */
function coveredGrants({ caller, permission }: ListScope): Expression<SqlBool>[] {
  const covering = unitsWith(caller, permission);
  if (covering.includes(rootUnitId)) return [];
  if (covering.length === 0) return [never];
  return [
    sql<SqlBool>`role_grants.organizational_unit_id in (
      select unit_id from organizational_unit_paths where ancestor_id in (${sql.join(covering)}))`,
  ];
}
