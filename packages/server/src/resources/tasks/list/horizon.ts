import { type SqlBool, sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Queries } from "../../../database/database";
import { allOf } from "../../../lists/comparisons";
import type { ListScope, Survey } from "../../../lists/list-source";
import { unitConditions } from "./conditions";

export type Horizons = Pick<Survey, "horizon" | "laneHorizons">;

/**
 * Up to which number tasks have arrived in a unit. Reports of several processes are written at the same time, each in a lane
 * of its own. In one lane a lower number is committed earlier; in another one it may still be to come. So each lane has its
 * own horizon, which its commits move on. SQLite has one writer: whichever lane tasks came from, all lower ones are there.
 */
export async function readHorizons(db: Queries, scope: ListScope): Promise<Horizons> {
  const rows = await db
    .selectFrom("task_totals")
    .select((eb) => ["lane", eb.fn.max("last_seq").as("seq")])
    .where(allOf(unitConditions(scope)))
    .groupBy("lane")
    .execute();
  if (!isPostgres(db)) return { horizon: Math.max(0, ...rows.map(({ seq }) => seq)) };
  const lanes = Math.max(0, ...rows.map(({ lane }) => lane));
  const seqOf = (lane: number) => rows.find((row) => row.lane === lane)?.seq ?? 0;
  return { horizon: seqOf(0), laneHorizons: Array.from({ length: lanes }, (_, index) => seqOf(index + 1)) };
}

/** Whether a task had arrived. In a lane that has no horizon, none had. */
export function hasArrived(db: Queries, { horizon, laneHorizons = [] }: Horizons) {
  if (!isPostgres(db)) return sql<SqlBool>`seq <= ${horizon}`;
  return sql<SqlBool>`seq <= (cast(${`{${[horizon, ...laneHorizons].join(",")}}`} as bigint[]))[lane + 1]`;
}
