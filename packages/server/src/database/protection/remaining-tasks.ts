import type { TaskCategory, TaskOutcome } from "@holdfast/api/resources/task-words";
import { sql } from "kysely";
import type { Queries } from "../database";
import type { Entity } from "./entity-rows";
import type { EndedTask } from "./evidence";
import type { GivenName } from "./given-name";

/** Tasks that an entity still has. */
export interface RemainingTasks {
  ended: EndedTask[];
  newest: GivenName | null;
  firstCreatedAt: number | null;
}

/** A row of a task, as far as entities need it. */
export interface TaskFactsRow {
  id: string;
  category: TaskCategory;
  type: string;
  /** Null for its type. */
  operation: string | null;
  /** Empty until the end. */
  outcome: TaskOutcome | "";
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  monitor_id: string | null;
}

/** Maximum number of an entity's names, and of the tasks of each name, to read. */
const maxRead = { names: 50, tasks: 2000 } as const;

/** The columns of that row. */
const taskFactsColumns = sql.raw(
  "id, category, type, operation, outcome, created_at, started_at, ended_at, monitor_id",
);

/** The end of a task that is stored; null before it. */
function endOf(row: TaskFactsRow): EndedTask | null {
  const { id, category, type, operation, outcome, created_at, started_at, ended_at, monitor_id } = row;
  if (outcome === "") return null;
  return {
    id,
    category,
    type,
    operation: operation ?? type,
    outcome,
    createdAt: created_at,
    startedAt: started_at ?? created_at,
    // Only an imported task can have ended without saying when.
    endedAt: ended_at ?? created_at,
    monitorId: monitor_id,
  };
}

/** Reads the newest tasks of an entity in a unit. */
export async function readRemaining(
  db: Queries,
  unitId: string,
  { type, id }: Pick<Entity, "type" | "id">,
): Promise<RemainingTasks> {
  const names = await db
    .selectFrom("entities")
    .select(["key", "value"])
    .where("id", "=", id)
    .where("type", "=", type)
    .orderBy("key", "desc")
    .limit(maxRead.names)
    .execute();
  const found: (TaskFactsRow & { value: string })[] = [];
  let firstCreatedAt: number | null = null;
  for (const { key, value } of names) {
    // One name after the other, newest task first: so an index leads to them, whichever other tasks there are.
    const { rows } = await sql<TaskFactsRow>`
      select ${taskFactsColumns} from (
        select * from tasks where entity_key = ${key} order by created_at desc, id desc limit ${maxRead.tasks}) as newest
      where organizational_unit_id = ${unitId}`.execute(db);
    found.push(...rows.map((row) => ({ ...row, value })));
    const first = await db
      .selectFrom("tasks")
      .select("created_at")
      .where("entity_key", "=", key)
      .where("organizational_unit_id", "=", unitId)
      .orderBy("created_at")
      .orderBy("id")
      .limit(1)
      .executeTakeFirst();
    if (first) firstCreatedAt = Math.min(firstCreatedAt ?? first.created_at, first.created_at);
  }
  found.sort((one, other) => other.created_at - one.created_at || (one.id > other.id ? -1 : 1));
  const [newest] = found;
  return {
    ended: found.flatMap((row) => endOf(row) ?? []),
    newest: newest ? { id: newest.id, createdAt: newest.created_at, value: newest.value } : null,
    firstCreatedAt,
  };
}
