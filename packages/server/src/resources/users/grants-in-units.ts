import { voidLinksOfHolders } from "../../access/one-time-links";
import type { UnitContents } from "../unit-contents";

/** Roles that users hold in a unit. Holders above a unit's new place gain it, so open invitations to that become void. */
export const grantsInUnits: UnitContents = {
  noun: "users with a role",
  followUnit: (db, _unitId, { gained }) => voidLinksOfHolders(db, { unitIds: gained }),
  async move(db, from, to) {
    await voidLinksOfHolders(db, { unitIds: [from] });
    // A user may hold the same role in both already.
    await db
      .insertInto("role_grants")
      .columns(["user_id", "role_id", "organizational_unit_id"])
      .expression((eb) =>
        eb
          .selectFrom("role_grants")
          .select(["user_id", "role_id", eb.val(to).as("organizational_unit_id")])
          .where("organizational_unit_id", "=", from),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await db.deleteFrom("role_grants").where("organizational_unit_id", "=", from).execute();
  },
};
