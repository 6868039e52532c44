import { refuse } from "@holdfast/api/conventions/api-error";
import type { Queries } from "../../database/database";

/** Refuses to move views to a unit that has one of the same page and name. */
export async function refuseTakenNames(db: Queries, from: string, to: string): Promise<void> {
  const taken = await db
    .selectFrom("saved_views as moved")
    .innerJoin("saved_views as there", (join) =>
      join.onRef("there.name_folded", "=", "moved.name_folded").onRef("there.page", "=", "moved.page"),
    )
    .select("moved.name")
    .where("moved.organizational_unit_id", "=", from)
    .where("there.organizational_unit_id", "=", to)
    .orderBy("moved.name")
    .executeTakeFirst();
  if (taken) {
    throw refuse(
      "alreadyThere",
      `There is another saved view ${JSON.stringify(taken.name)} in the unit that takes everything. Rename one of them first.`,
    );
  }
}
