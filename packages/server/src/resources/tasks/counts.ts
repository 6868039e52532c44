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

  async apply(db: Queries): Promise<void> {
    const newest = await db
      .selectFrom("tasks")
      .select((eb) => eb.fn.max("seq").as("seq"))
      .executeTakeFirst();
    const last_seq = newest?.seq ?? 0;
    for (const rows of batches(this.#totals())) {
      await db
        .insertInto("task_totals")
        .values(rows.map((row) => ({ ...row, last_seq })))
        .onConflict((conflict) =>
          conflict.columns(totalKey).doUpdateSet((eb) => ({
            count: eb("task_totals.count", "+", eb.ref("excluded.count")),
            last_seq: eb.ref("excluded.last_seq"),
          })),
        )
        .execute();
    }
    for (const rows of batches([...this.#days.values()])) {
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
    for (const rows of batches([...this.#hours.values()])) {
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

  #totals(): Total[] {
    const totals = new Map<string, Total>();
    for (const { day, ...total } of this.#days.values()) {
      const key = `${total.organizational_unit_id} ${total.category} ${total.type} ${total.status}`;
      addCount(totals, key, total);
    }
    return [...totals.values()];
  }
}

function addCount<Row extends { count: number }>(rows: Map<string, Row>, key: string, row: Row): void {
  const known = rows.get(key);
  if (known) known.count += row.count;
  else rows.set(key, row);
}

function batches<Row extends { count: number }>(rows: readonly Row[]): Row[][] {
  const changed = rows.filter((row) => row.count !== 0);
  return Array.from({ length: Math.ceil(changed.length / rowsPerStatement) }, (_, index) =>
    changed.slice(index * rowsPerStatement, (index + 1) * rowsPerStatement),
  );
}
