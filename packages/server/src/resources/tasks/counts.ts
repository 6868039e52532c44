import type { Queries } from "../../database/database";
import type { TaskDayTable, TaskHourTable, TaskTable } from "../../database/schema";
import { dayLength, hourLength } from "./record";

/** What tasks are counted by. */
type Counted = Pick<TaskTable, "organizational_unit_id" | "category" | "type" | "status" | "created_at">;
type Total = Omit<TaskDayTable, "day">;

const rowsPerStatement = 500;
const totalKey = ["organizational_unit_id", "category", "type", "status"] as const;

/** Changes to the counts, gathered while tasks are written and applied in the same transaction. */
export class CountChanges {
  readonly #days = new Map<string, TaskDayTable>();
  readonly #hours = new Map<string, TaskHourTable>();

  add({ organizational_unit_id, category, type, status, created_at }: Counted, count: 1 | -1): void {
    const day = Math.floor(created_at / dayLength);
    const hour = Math.floor(created_at / hourLength);
    const key = `${organizational_unit_id} ${category} ${type} ${status}`;
    addCount(this.#days, `${day} ${key}`, { organizational_unit_id, category, type, status, count, day });
    addCount(this.#hours, `${hour} ${organizational_unit_id}`, { organizational_unit_id, hour, count });
  }

  /** Writes the changes down. Where tasks came to a unit, the highest of their numbers has to be told. */
  async apply(db: Queries, newest = 0): Promise<void> {
    for (const rows of batches(this.#totals())) {
      await db
        .insertInto("task_totals")
        .values(rows.map((row) => ({ ...row, last_seq: newest })))
        .onConflict((conflict) =>
          conflict.columns(totalKey).doUpdateSet((eb) => ({
            count: eb("task_totals.count", "+", eb.ref("excluded.count")),
            last_seq: eb
              .case()
              .when("excluded.last_seq", ">", eb.ref("task_totals.last_seq"))
              .then(eb.ref("excluded.last_seq"))
              .else(eb.ref("task_totals.last_seq"))
              .end(),
          })),
        )
        .execute();
    }
    for (const rows of batches(this.#days)) {
      await db
        .insertInto("task_days")
        .values(rows)
        .onConflict((conflict) =>
          conflict
            .columns(["day", ...totalKey])
            .doUpdateSet((eb) => ({ count: eb("task_days.count", "+", eb.ref("excluded.count")) })),
        )
        .execute();
    }
    for (const rows of batches(this.#hours)) {
      await db
        .insertInto("task_hours")
        .values(rows)
        .onConflict((conflict) =>
          conflict
            .columns(["hour", "organizational_unit_id"])
            .doUpdateSet((eb) => ({ count: eb("task_hours.count", "+", eb.ref("excluded.count")) })),
        )
        .execute();
    }
  }

  #totals(): Map<string, Total> {
    const totals = new Map<string, Total>();
    for (const { day, ...total } of this.#days.values()) {
      const key = `${total.organizational_unit_id} ${total.category} ${total.type} ${total.status}`;
      addCount(totals, key, total);
    }
    return totals;
  }
}

function addCount<Row extends { count: number }>(rows: Map<string, Row>, key: string, row: Row): void {
  const known = rows.get(key);
  if (known) known.count += row.count;
  else rows.set(key, row);
}

/** What has changed, in one order: two who change the same counts then wait for one another, but never both. */
function batches<Row extends { count: number }>(rows: ReadonlyMap<string, Row>): Row[][] {
  const changed = [...rows]
    .filter(([, row]) => row.count !== 0)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row);
  return Array.from({ length: Math.ceil(changed.length / rowsPerStatement) }, (_, index) =>
    changed.slice(index * rowsPerStatement, (index + 1) * rowsPerStatement),
  );
}
