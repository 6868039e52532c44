import type { Queries } from "../../database/database";

/** A time in which a report or a ping may have found no one to take it. */
export interface UnwatchedTime {
  from: number;
  until: number;
}

/** So long without a note, in milliseconds, is a time in which the service did not listen. So is such a step of the clock. */
export const maxUnnotedMs = 60_000;
/** A step of the clock takes no time, in milliseconds. */
const moment = 1;
/** Longer than any expected run is waited for, with the time for which it may come early. */
const kept = 63 * 86_400_000;

/** Observations of a process of its wall clock since its last note. */
export interface SeenClock {
  now: number;
  /** True if this is the first note of the process, so that it cannot know what the clock showed before. */
  isFirst: boolean;
  /** Time that the clock showed before it was set back; null if it was not. */
  wasBackFrom: number | null;
}

/** Notes that the service listens now, and when it did not. Gives whether the clock was set back since the last note. */
export async function noteListening(db: Queries, { now, isFirst, wasBackFrom }: SeenClock): Promise<boolean> {
  const noted = await db.selectFrom("listening").select("noted_at").executeTakeFirst();
  if (!noted) {
    const row = { id: 1, noted_at: now };
    await db
      .insertInto("listening")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return false;
  }
  const last = noted.noted_at;
  const backFrom = wasBackFrom ?? (isFirst && now <= last - maxUnnotedMs ? last : null);
  if (backFrom !== null) await noteSetBack(db, now, backFrom);
  else if (now >= last + maxUnnotedMs) await addUnwatched(db, { from: last, until: now }, now);
  // Several processes note it, in any order, so only a clock that was set back makes it earlier.
  await db
    .updateTable("listening")
    .set({ noted_at: now })
    .$if(backFrom === null, (update) => update.where("noted_at", "<", now))
    .execute();
  return backFrom !== null;
}

/**
 * The moments before and after the step are not watched. What was noted of a time that is now in the future has not happened:
 * the clock may have been years ahead.
 */
async function noteSetBack(db: Queries, now: number, from: number): Promise<void> {
  const beyond = await db.selectFrom("unwatched_times").selectAll().where("until_at", ">", now).execute();
  const spans = beyond.filter(({ from_at, until_at }) => until_at - from_at > moment);
  for (const { from_at, until_at } of spans) {
    await db.deleteFrom("unwatched_times").where("until_at", "=", until_at).where("from_at", "=", from_at).execute();
    if (from_at < now) await addUnwatched(db, { from: from_at, until: now }, now);
  }
  for (const at of [now, from]) await addUnwatched(db, { from: at, until: at + moment }, now);
}

async function addUnwatched(db: Queries, { from, until }: UnwatchedTime, now: number): Promise<void> {
  await db
    .insertInto("unwatched_times")
    .values({ from_at: from, until_at: until })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .deleteFrom("unwatched_times")
    .where("until_at", "<", now - kept)
    .execute();
}

/** When the service did not listen, as far as that reaches beyond a moment. */
export async function listUnwatched(db: Queries, since: number): Promise<UnwatchedTime[]> {
  const rows = await db
    .selectFrom("unwatched_times")
    .select(["from_at", "until_at"])
    .where("until_at", ">=", since)
    .orderBy("until_at")
    .execute();
  return rows.map(({ from_at, until_at }) => ({ from: from_at, until: until_at }));
}
