import { sql } from "kysely";
import type { Queries } from "../src/database/database";

/** The counts of tasks as they are kept, and as the tasks themselves give them. */
interface Recount {
  kept: { totals: unknown[]; days: unknown[]; hours: unknown[] };
  counted: { totals: unknown[]; days: unknown[]; hours: unknown[] };
}

/** Counts all tasks again, to compare. */
export async function recountTasks(db: Queries): Promise<Recount> {
  const rowsOf = async (query: ReturnType<typeof sql>) => (await query.execute(db)).rows;
  const kind = sql.raw("organizational_unit_id, category, type, status, outcome");
  const hourKind = sql.raw("organizational_unit_id, category, status, outcome");
  // The rows of all lanes together are the count.
  const sum = sql.raw("sum(count) as count");
  const grouped = (key: ReturnType<typeof sql>) => sql`group by ${key} having sum(count) <> 0 order by ${key}`;
  return {
    kept: {
      totals: await rowsOf(sql`select ${kind}, ${sum} from task_totals ${grouped(kind)}`),
      days: await rowsOf(sql`select day, ${kind}, ${sum} from task_days ${grouped(sql`day, ${kind}`)}`),
      hours: await rowsOf(sql`select hour, ${hourKind}, ${sum} from task_hours ${grouped(sql`hour, ${hourKind}`)}`),
    },
    counted: {
      totals: await rowsOf(sql`select ${kind}, count(*) as count from tasks group by ${kind} order by ${kind}`),
      days: await rowsOf(sql`
        select created_at / 86400000 as day, ${kind}, count(*) as count from tasks
        group by created_at / 86400000, ${kind} order by created_at / 86400000, ${kind}`),
      hours: await rowsOf(sql`
        select created_at / 3600000 as hour, ${hourKind}, count(*) as count from tasks
        group by created_at / 3600000, ${hourKind} order by created_at / 3600000, ${hourKind}`),
    },
  };
}
