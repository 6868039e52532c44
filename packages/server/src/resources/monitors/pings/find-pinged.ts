import type { Selectable } from "kysely";
import type { Queries } from "../../../database/database";
import type { PingKeyTable } from "../../../database/schema";
import type { Monitor } from "../state";
import type { PingTarget } from "./ping";

/** Target of a ping: a monitor, or the key of a unit that has no monitor with the slug. */
export interface Pinged {
  monitor: Monitor | undefined;
  key: Selectable<PingKeyTable> | undefined;
}

/** Finds what a ping reaches. As many statements for every ping, so that the time tells nothing. */
export async function findPinged(db: Queries, target: PingTarget, now: number): Promise<Pinged> {
  if ("urlHash" in target) return { monitor: await findByUrl(db, target.urlHash, now), key: undefined };
  const key = await db.selectFrom("ping_keys").selectAll().where("key_hash", "=", target.keyHash).executeTakeFirst();
  const monitor = await db
    .selectFrom("monitors")
    .selectAll()
    .where("organizational_unit_id", "=", key?.organizational_unit_id ?? "")
    .where("slug", "=", target.slug)
    .executeTakeFirst();
  return { monitor, key };
}

async function findByUrl(db: Queries, urlHash: string, now: number): Promise<Monitor | undefined> {
  const current = await db.selectFrom("monitors").selectAll().where("url_hash", "=", urlHash).executeTakeFirst();
  const previous = await db
    .selectFrom("monitors")
    .selectAll()
    .where("previous_url_hash", "=", urlHash)
    .where("previous_url_ends_at", ">", now)
    .executeTakeFirst();
  return current ?? previous;
}
