import type { Expression } from "kysely";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Queries } from "../../../database/database";
import { allOf } from "../../../lists/comparisons";
import type { QueryPlan } from "./query-plan";
import { pinIndex } from "./slices";

type TaskColumn = "seq" | "created_at" | "id" | "document";

/** What is read of the tasks of a plan, in list order or against it. */
export interface OrderedTasks {
  columns: readonly TaskColumn[];
  /** What a task has to fulfil beside the condition of the plan. */
  conditions: readonly Expression<SqlBool>[];
  order: "asc" | "desc";
  /** Values, or slots of a prepared query. */
  count: unknown;
  skip: unknown;
}

/** Writes the query for tasks in order, without sorting where the index of the plan has them in order. */
export function tasksInOrder<Row>(db: Queries, plan: QueryPlan, wanted: OrderedTasks): RawBuilder<Row> {
  const { columns, conditions, count, skip } = wanted;
  const order = sql.raw(wanted.order);
  const inOrder = sql`order by created_at ${order}, id ${order}`;
  const named = (names: Iterable<TaskColumn>) => sql.join([...names].map((name) => sql.ref(name)));
  const select = (names: Iterable<TaskColumn>, condition: Expression<SqlBool>) =>
    sql`select ${named(names)} from tasks ${pinIndex(db, plan.index)} where ${allOf([condition, ...conditions])}`;
  const values = (isPostgres(db) && plan.words) || plan.values;
  const [only = plan.condition, ...others] = values ?? [];
  if (!values || others.length === 0)
    return sql<Row>`${select(columns, only)} ${inOrder} limit ${count} offset ${skip}`;
  // The tasks of each value are in order. SQLite merges them as they are; PostgreSQL reads no more of each than can be needed.
  const ofValue = (value: Expression<SqlBool>) => {
    const tasks = select(new Set([...columns, "created_at", "id"] as const), value);
    return isPostgres(db) ? sql`(${tasks} ${inOrder} limit cast(${count} as int) + cast(${skip} as int))` : tasks;
  };
  return sql<Row>`
    select ${named(columns)} from (${sql.join(values.map(ofValue), sql` union all `)}
    ${inOrder} limit ${count} offset ${skip}) as merged ${inOrder}`;
}
