import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { refuse } from "@holdfast/api/conventions/api-error";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import type { Database, Queries } from "../database/database";

/** An attempt to sign in: to which account, from which address. */
export interface Attempt {
  account: string;
  address: string;
}

/** How many attempts may fail before there is a delay. Many people can share an address. */
const freeFailures = { account: 5, address: 20 };
const longestDelay = 900_000;
/** Failures older than this, in milliseconds, are forgotten. */
const rememberedFor = 86_400_000;

interface Limited {
  key: string;
  free: number;
}

/**
 * Counts an attempt before its password is looked at, as if it had failed: however many come at once, no more than are
 * allowed get any further. Refuses with 429 while there is a delay; such an attempt does not make it longer.
 */
export async function countAttempt(database: Database, attempt: Attempt, now: number): Promise<void> {
  // A flood of attempts is turned away without writing anything.
  await database.snapshot((db) => refuseWhileDelayed(db, attempt, now));
  await database.change(async (db) => {
    await refuseWhileDelayed(db, attempt, now);
    await db
      .deleteFrom("sign_in_failures")
      .where("last_at", "<", now - rememberedFor)
      .execute();
    for (const { key } of limitsOf(attempt)) {
      await db
        .insertInto("sign_in_failures")
        .values({ key, failures: 1, last_at: now })
        .onConflict((conflict) =>
          conflict
            .column("key")
            .doUpdateSet((eb) => ({ failures: eb("sign_in_failures.failures", "+", 1), last_at: now })),
        )
        .execute();
    }
  });
}

/** Takes back what countAttempt counted: the attempt did not fail. */
export async function uncountAttempt(db: Queries, attempt: Attempt): Promise<void> {
  const keys = limitsOf(attempt).map(({ key }) => key);
  await db
    .updateTable("sign_in_failures")
    .set((eb) => ({ failures: eb("failures", "-", 1) }))
    .where("key", "in", keys)
    .where("failures", ">", 0)
    .execute();
}

/** Forgets the failures of an account whose owner has signed in. Those of the address stay, less this attempt. */
export async function forgetFailures(db: Queries, attempt: Attempt): Promise<void> {
  await uncountAttempt(db, attempt);
  await db.deleteFrom("sign_in_failures").where("key", "=", accountKey(attempt.account)).execute();
}

async function refuseWhileDelayed(db: Queries, attempt: Attempt, now: number): Promise<void> {
  const limits = limitsOf(attempt);
  const rows = await db
    .selectFrom("sign_in_failures")
    .select(["key", "failures", "last_at"])
    .where(
      "key",
      "in",
      limits.map(({ key }) => key),
    )
    .execute();
  const waits = rows.map(({ key, failures, last_at }) => {
    const free = limits.find((limit) => limit.key === key)?.free ?? 0;
    return last_at + delayAfter(failures - free) - now;
  });
  const longest = Math.max(0, ...waits);
  if (longest === 0) return;
  const seconds = Math.ceil(longest / 1000);
  throw refuse("attemptsExceeded", `Signing in has failed too often. Wait ${seconds} seconds, then try again.`, {
    "Retry-After": String(seconds),
  });
}

/** How long to wait after the last failure, in milliseconds: nothing, then 2 s, 4 s and so on. */
function delayAfter(failuresBeyond: number): number {
  return failuresBeyond < 0 ? 0 : Math.min(longestDelay, 2 ** Math.min(failuresBeyond + 1, 30) * 1000);
}

function limitsOf({ account, address }: Attempt): Limited[] {
  return [
    { key: accountKey(account), free: freeFailures.account },
    { key: `address ${networkOf(address)}`, free: freeFailures.address },
  ];
}

/** By its hash: what somebody types where an address belongs may be a password. */
function accountKey(account: string): string {
  return `account ${createHash("sha256").update(foldCase(account.trim())).digest("hex")}`;
}

/** Who has one address of IPv6 has a whole network of them, so that is what is counted. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const filled =
    tail === undefined ? groups : [...groups, ...Array(8 - groups.length - after.length).fill("0"), ...after];
  const network = filled.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
