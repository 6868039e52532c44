import { sql } from "kysely";
import type { Queries } from "../src/database/database";

type Counts = Record<"totals" | "days" | "quarters" | "weeks", unknown[]>;

/** The counts of tasks as they are kept, and as the tasks themselves give them. */
interface Recount {
  kept: Counts;
  counted: Counts;
}

/** Counts all tasks again, to compare. */
export async function recountTasks(db: Queries): Promise<Recount> {
  const rowsOf = async (query: ReturnType<typeof sql>) => (await query.execute(db)).rows;
  const kind = sql.raw("organizational_unit_id, category, type, status, outcome");
  const quarterKind = sql.raw("organizational_unit_id, category, status, outcome");
  const weekKind = sql.raw("entity_key, week, organizational_unit_id");
  // The rows of all writers together are the count.
  const sum = sql.raw("sum(count) as count");
  const grouped = (key: ReturnType<typeof sql>) => sql`group by ${key} having sum(count) <> 0 order by ${key}`;
  return {
    kept: {
      totals: await rowsOf(sql`select ${kind}, ${sum} from task_totals ${grouped(kind)}`),
      days: await rowsOf(sql`select day, ${kind}, ${sum} from task_days ${grouped(sql`day, ${kind}`)}`),
      quarters: await rowsOf(
        sql`select quarter, ${quarterKind}, ${sum} from task_quarters ${grouped(sql`quarter, ${quarterKind}`)}`,
      ),
      weeks: await rowsOf(sql`select ${weekKind}, ${sum} from entity_weeks ${grouped(weekKind)}`),
    },
    counted: {
      totals: await rowsOf(sql`select ${kind}, count(*) as count from tasks group by ${kind} order by ${kind}`),
      days: await rowsOf(sql`
        select created_at / 86400000 as day, ${kind}, count(*) as count from tasks
        group by created_at / 86400000, ${kind} order by created_at / 86400000, ${kind}`),
      quarters: await rowsOf(sql`
        select created_at / 900000 as quarter, ${quarterKind}, count(*) as count from tasks
        group by created_at / 900000, ${quarterKind} order by created_at / 900000, ${quarterKind}`),
      weeks: await rowsOf(sql`
        select entity_key, created_at / 604800000 as week, organizational_unit_id, count(*) as count from tasks
        where entity_key is not null group by entity_key, created_at / 604800000, organizational_unit_id
        order by entity_key, created_at / 604800000, organizational_unit_id`),
    },
  };
}
