import { sql } from "kysely";
import type { Snapshot } from "../../../lists/list-source";
import { pinIndex } from "./matching";
import { isEmpty, type TimeRange } from "./time-range";

/**
 * Splits a time into parts, each with so few tasks in it, of any unit and kind, that one statement can pass over all of them. Tasks
 * of the same millisecond are not cut apart.
 */
export async function* splitTime(
  { db, work }: Pick<Snapshot, "db" | "work">,
  range: TimeRange,
  { order, size }: { order: "asc" | "desc"; size: number },
): AsyncGenerator<TimeRange> {
  const isUp = order === "asc";
  for (let rest = range; !isEmpty(rest); ) {
    await work.step();
    const { rows } = await sql<{ created_at: number }>`
      select created_at from tasks ${pinIndex(db, "tasks_in_order")}
      where created_at >= ${rest.from} and created_at < ${rest.until}
      order by created_at ${sql.raw(order)} limit 1 offset ${size - 1}`.execute(db);
    const edge = rows[0]?.created_at;
    if (edge === undefined) {
      yield rest;
      return;
    }
    yield isUp ? { from: rest.from, until: edge + 1 } : { from: edge, until: rest.until };
    rest = isUp ? { from: edge + 1, until: rest.until } : { from: rest.from, until: edge };
  }
}
