import { type SqlBool, sql } from "kysely";
import { isActive, retireEnded } from "../../access/tokens/active-tokens";
import type { UnitContents } from "../unit-contents";

/** Tokens of a unit. Those that are no longer good are in nobody's way, and are listed with the unit above once it is gone. */
export const tokensInUnits: UnitContents = {
  noun: "API tokens",
  async areIn(db, unitId, now) {
    const token = await db
      .selectFrom("api_tokens")
      .select("id")
      .where("organizational_unit_id", "=", unitId)
      .where(isActive(now))
      .executeTakeFirst();
    return token !== undefined;
  },
  async move(db, from, to, now) {
    await retireEnded(db, now, sql<SqlBool>`organizational_unit_id = ${from}`);
    await db
      .updateTable("api_tokens")
      .set({ organizational_unit_id: to })
      .where("organizational_unit_id", "=", from)
      .execute();
  },
  forget: (db, { id, parentId }, now) =>
    retireEnded(db, now, sql<SqlBool>`organizational_unit_id = ${id}`, { organizational_unit_id: parentId }),
};
