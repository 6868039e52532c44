import { createHash } from "node:crypto";
import { type ApiError, refuse } from "@holdfast/api/conventions/api-error";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import type { Database, Queries } from "../database/database";
import { networkOf } from "./network-of";
import type { SignInParts } from "./sign-in-parts";

/** Number of attempts that may fail before there is a delay. Many people can share an address. */
const freeFailures = { account: 5, address: 20, session: 5 };
const maxDelayMs = 900_000;
/** Failures older than this, in milliseconds, are forgotten. */
const keptForMs = 86_400_000;

interface Counter {
  key: string;
  free: number;
}

/** Counters of an attempt to show a password. */
export interface SignInAttempt {
  /** Failures that came from where this attempt comes from. While these ask for a delay, nothing is compared. */
  own: readonly Counter[];
  /** Failures at the same account from wherever, where there are such. */
  shared: readonly Counter[];
  /** Counters that are cleared when the password was right: all but the failures of an address, which are those of others, too. */
  forgotten: readonly string[];
}

/** Signing in to an account, by the address that was typed: there need not be such an account. */
export function signInAttempt({ account, address }: { account: string; address: string }): SignInAttempt {
  // By its hash: what is typed where an address belongs may be a password.
  const typed = foldCase(account.trim());
  const anywhere = { key: `account ${hashOf(typed)}`, free: freeFailures.account };
  const here = {
    key: `account here ${hashOf(JSON.stringify([typed, networkOf(address)]))}`,
    free: freeFailures.account,
  };
  const atAnyAccount = { key: `address ${networkOf(address)}`, free: freeFailures.address };
  return { own: [here, atAnyAccount], shared: [anywhere], forgotten: [here.key] };
}

/** Confirming the password in an open session, in which no other person can fail. */
export function sessionAttempt(sessionHash: string): SignInAttempt {
  const session = { key: `session ${sessionHash}`, free: freeFailures.session };
  return { own: [session], shared: [], forgotten: [session.key] };
}

/** Counter before an attempt, and after it. */
interface CountedIn {
  key: string;
  failures: number;
  at: number;
  atBefore: number;
}

/** An attempt that was counted as failed before anything was compared. */
export interface CountedAttempt {
  /** Failures from elsewhere hold the account up: what to answer, unless this comes from where they do not matter. */
  heldUp: ApiError | undefined;
  /** Forgets the failures that a right password makes up for. */
  forget(db: Queries): Promise<void>;
}

/**
 * Lets a password be compared as one attempt. It counts as failed before that: however many come at once, no more than are
 * allowed get any further. Refuses with 429 while there is a delay; such an attempt does not make it longer. `compare` gives
 * nothing where the password, or the code, is wrong. That alone is a failure: where it throws, be it that too many are
 * signing in or that the database is away, the attempt is given back.
 */
export async function compareInLimits<Result extends object>(
  { database, passwords, clock }: Pick<SignInParts, "database" | "passwords" | "clock">,
  attempt: SignInAttempt,
  compare: (counted: CountedAttempt) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  // An attempt that would be refused there anyway need not be written down first.
  passwords.requireRoom();
  const { heldUp, counted } = await countAttempt(database, attempt, clock());
  const forget = async (db: Queries) => {
    await giveBack(db, counted);
    const keys = heldUp ? attempt.forgotten : [...attempt.forgotten, ...attempt.shared.map(({ key }) => key)];
    await db.deleteFrom("sign_in_failures").where("key", "in", keys).execute();
  };
  let result: Result | undefined;
  try {
    result = await compare({ heldUp, forget });
  } catch (error) {
    // If that fails as well, what went wrong first is what to answer, and the attempt is forgotten after a day.
    await database.change((db) => giveBack(db, counted)).catch(() => {});
    throw error;
  }
  // Also from where it was compared: who shares an address with the owner must not learn from the answer that there is one.
  if (!result && heldUp) throw heldUp;
  return result;
}

async function countAttempt(
  database: Database,
  attempt: SignInAttempt,
  now: number,
): Promise<{ heldUp: ApiError | undefined; counted: CountedIn[] }> {
  // A flood of attempts is turned away without writing anything.
  await database.snapshot((db) => readDelay(db, attempt, now));
  return database.change(async (db) => {
    await db
      .deleteFrom("sign_in_failures")
      .where("last_at", "<", now - keptForMs)
      .execute();
    const { rows, heldUp } = await readDelay(db, attempt, now);
    const counters = heldUp ? attempt.own : [...attempt.own, ...attempt.shared];
    const counted = counters.map(({ key }) => {
      const before = rows.find((row) => row.key === key);
      return { key, failures: (before?.failures ?? 0) + 1, at: now, atBefore: before?.last_at ?? now };
    });
    for (const { key, failures, at } of counted) {
      await db
        .insertInto("sign_in_failures")
        .values({ key, failures, last_at: at })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ failures, last_at: at }))
        .execute();
    }
    return { heldUp, counted };
  });
}

/** Takes back what was counted. Where others were counted since, the delay goes on from the last of them. */
async function giveBack(db: Queries, counted: readonly CountedIn[]): Promise<void> {
  for (const { key, failures, at, atBefore } of counted) {
    const { numUpdatedRows } = await db
      .updateTable("sign_in_failures")
      .set({ failures: failures - 1, last_at: atBefore })
      .where("key", "=", key)
      .where("failures", "=", failures)
      .where("last_at", "=", at)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) continue;
    await db
      .updateTable("sign_in_failures")
      .set((eb) => ({ failures: eb("failures", "-", 1) }))
      .where("key", "=", key)
      .where("failures", ">", 0)
      .execute();
  }
}

/** Reads the counters of an attempt. Refuses where its own ask for a delay; `heldUp` is set where the shared ones do. */
async function readDelay(db: Queries, { own, shared }: SignInAttempt, now: number) {
  const rows = await db
    .selectFrom("sign_in_failures")
    .select(["key", "failures", "last_at"])
    .where(
      "key",
      "in",
      [...own, ...shared].map(({ key }) => key),
    )
    .execute();
  const waitOf = (counters: readonly Counter[]) =>
    Math.max(
      0,
      ...counters.map(({ key, free }) => {
        const row = rows.find((one) => one.key === key);
        return row ? row.last_at + delayAfter(row.failures - free) - now : 0;
      }),
    );
  const [ownWait, sharedWait] = [waitOf(own), waitOf(shared)];
  if (ownWait > 0) throw tooOften(Math.max(ownWait, sharedWait));
  const hint = " Where you have signed in before, the right password is taken at once.";
  return { rows, heldUp: sharedWait > 0 ? tooOften(sharedWait, hint) : undefined };
}

function tooOften(wait: number, hint = ""): ApiError {
  const seconds = Math.ceil(wait / 1000);
  return refuse(
    "attemptsExceeded",
    `Signing in has failed too often. Wait ${seconds} seconds, then try again.${hint}`,
    {
      "Retry-After": String(seconds),
    },
  );
}

/** Delay after the last failure, in milliseconds: nothing, then 2 s, 4 s and so on. */
function delayAfter(failuresBeyond: number): number {
  return failuresBeyond < 0 ? 0 : Math.min(maxDelayMs, 2 ** Math.min(failuresBeyond + 1, 30) * 1000);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
