import type { Queries } from "../../database/database";
import type { TaskDayTable, TaskTable } from "../../database/schema";
import { dayLength } from "./record";

/** What tasks are counted by. */
type Counted = Pick<TaskTable, "organizational_unit_id" | "category" | "type" | "status" | "created_at">;
type Total = Omit<TaskDayTable, "day">;

const rowsPerStatement = 500;
const totalKey = ["organizational_unit_id", "category", "type", "status"] as const;

/** Changes to the counts, gathered while tasks are written and applied in the same transaction. */
export class CountChanges {
  readonly #days = new Map<string, TaskDayTable>();

  add({ organizational_unit_id, category, type, status, created_at }: Counted, count: 1 | -1): void {
    const day = Math.floor(created_at / dayLength);
    const key = `${day} ${organizational_unit_id} ${category} ${type} ${status}`;
    const known = this.#days.get(key);
    if (known) known.count += count;
    else this.#days.set(key, { organizational_unit_id, category, type, status, count, day });
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
  }

  #totals(): Total[] {
    const totals = new Map<string, Total>();
    for (const { day, ...total } of this.#days.values()) {
      const key = `${total.organizational_unit_id} ${total.category} ${total.type} ${total.status}`;
      const known = totals.get(key);
      if (known) known.count += total.count;
      else totals.set(key, total);
    }
    return [...totals.values()];
  }
}

function batches<Row extends { count: number }>(rows: readonly Row[]): Row[][] {
  const changed = rows.filter((row) => row.count !== 0);
  return Array.from({ length: Math.ceil(changed.length / rowsPerStatement) }, (_, index) =>
    changed.slice(index * rowsPerStatement, (index + 1) * rowsPerStatement),
  );
}
