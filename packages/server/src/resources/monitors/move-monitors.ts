import { refuse } from "@holdfast/api/conventions/api-error";
import type { Queries } from "../../database/database";

/** Monitors move with their URLs; a slug that the other unit has already is in the way. */
export async function refuseTakenSlugs(db: Queries, from: string, to: string): Promise<void> {
  const taken = await db
    .selectFrom("monitors as moved")
    .innerJoin("monitors as there", "there.slug", "moved.slug")
    .select("moved.slug")
    .where("moved.organizational_unit_id", "=", from)
    .where("there.organizational_unit_id", "=", to)
    .orderBy("moved.slug")
    .executeTakeFirst();
  if (taken) {
    throw refuse(
      "alreadyThere",
      `There is another monitor with the slug ${taken.slug} in the unit that takes everything. Give one of them another slug first.`,
    );
  }
}
