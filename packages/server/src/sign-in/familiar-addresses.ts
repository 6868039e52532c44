import type { Queries } from "../database/database";
import { networkOf } from "./network-of";

/** For how long an address is familiar after the last sign-in from there, in milliseconds. */
const familiarFor = 90 * 86_400_000;
/** So many are kept per user, those of the latest sign-ins. */
const maxPerUser = 20;

/** True if a user has signed in from an address lately. Without a user the same query is made, so that it takes as long. */
export async function isFamiliar(
  db: Queries,
  { userId, address }: { userId: string | undefined; address: string },
  now: number,
): Promise<boolean> {
  const found = await db
    .selectFrom("sign_in_addresses")
    .select("last_at")
    .where("user_id", "=", userId ?? "")
    .where("network", "=", networkOf(address))
    .where("last_at", ">", now - familiarFor)
    .executeTakeFirst();
  return found !== undefined;
}

/** Notes that a user has signed in from an address. Removes the rows of all users that are too old. */
export async function noteAddress(db: Queries, userId: string, address: string, now: number): Promise<void> {
  // Where a request comes from is not known of every transport.
  if (address === "") return;
  await db
    .deleteFrom("sign_in_addresses")
    .where("last_at", "<=", now - familiarFor)
    .execute();
  await db
    .insertInto("sign_in_addresses")
    .values({ user_id: userId, network: networkOf(address), last_at: now })
    .onConflict((conflict) => conflict.columns(["user_id", "network"]).doUpdateSet({ last_at: now }))
    .execute();
  await db
    .deleteFrom("sign_in_addresses")
    .where("user_id", "=", userId)
    .where("network", "not in", (eb) =>
      eb
        .selectFrom("sign_in_addresses")
        .select("network")
        .where("user_id", "=", userId)
        .orderBy("last_at", "desc")
        .orderBy("network")
        .limit(maxPerUser),
    )
    .execute();
}

/** Forgets from where a user has signed in, but for one address: another person may have come from the others. */
export async function forgetAddresses(db: Queries, userId: string, except = ""): Promise<void> {
  await db
    .deleteFrom("sign_in_addresses")
    .where("user_id", "=", userId)
    .where("network", "!=", networkOf(except))
    .execute();
}
