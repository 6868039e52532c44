import type { Queries } from "../../database/database";

/** The base URL that tokens are made for: the one that the service was last started with. */
export async function notedBaseUrl(db: Queries): Promise<string | undefined> {
  return (await notedAddresses(db)).baseUrl;
}

/** The addresses that the service was last started with. */
export async function notedAddresses(
  db: Queries,
): Promise<{ baseUrl: string | undefined; aliases: readonly string[] }> {
  const row = await db
    .selectFrom("installation")
    .select(["base_url", "base_url_aliases"])
    .where("id", "=", 1)
    .executeTakeFirst();
  return { baseUrl: row?.base_url ?? undefined, aliases: row?.base_url_aliases?.split(",") ?? [] };
}
