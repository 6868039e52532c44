import type { Queries } from "../../database/database";

/** The base URL that tokens are made for: the one that the service was last started with. */
export async function notedBaseUrl(db: Queries): Promise<string | undefined> {
  const row = await db.selectFrom("installation").select("base_url").where("id", "=", 1).executeTakeFirst();
  return row?.base_url ?? undefined;
}
