import type { Database } from "../../src/database/database";
import { listTokens } from "../../src/resources/api-tokens/store";
import { type Memory, remember, type Told } from "./writer-steps";

/** Reads what a database holds of what writers do. */
export async function recall(database: Database): Promise<Memory> {
  return database.snapshot(async (db) => ({
    tasks: new Map(
      (await db.selectFrom("tasks").select(["id", "document"]).execute()).map(({ id, document }) => [id, document]),
    ),
    tokens: new Map((await listTokens(db)).map(({ name, revoked_at }) => [name, revoked_at !== null])),
  }));
}

/** Finds parts of a memory that differ from it after every possible number of steps: at least so many, and no part of one. */
export function findAstray(before: Memory, { steps }: Told, atLeast: number, memory: Memory): string[] {
  let expected = before;
  let differences: string[] = [];
  for (let done = 0; done <= steps.length; done += 1) {
    const step = steps[done - 1];
    if (step) expected = remember(expected, step);
    if (done < atLeast) continue;
    const found = compare(expected, memory);
    if (done === atLeast || found.length === 0) differences = found;
    if (found.length === 0) break;
  }
  return differences;
}

function compare(expected: Memory, found: Memory): string[] {
  const parts = ["tasks", "tokens"] as const;
  return parts.flatMap((part) =>
    [...new Set([...expected[part].keys(), ...found[part].keys()])]
      .filter((key) => expected[part].get(key) !== found[part].get(key))
      .map((key) => `${part} ${key}: ${found[part].get(key)} instead of ${expected[part].get(key)}`),
  );
}

const kinds = "organizational_unit_id, category, type, status, outcome";
const quarterKinds = "organizational_unit_id, category, status, outcome";
/** The rows of all writers together are the count. */
const sumOf = (table: string, key: string) =>
  `select ${key}, count from (select ${key}, sum(count) as count from ${table} group by ${key}) as kept`;
const counts = [
  {
    counted: sumOf("task_totals", kinds),
    real: `select ${kinds}, count(*) from tasks group by ${kinds}`,
  },
  {
    counted: sumOf("task_days", `day, ${kinds}`),
    real: `select created_at / 86400000, ${kinds}, count(*) from tasks group by 1, ${kinds}`,
  },
  {
    counted: sumOf("task_quarters", `quarter, ${quarterKinds}`),
    real: `select created_at / 900000, ${quarterKinds}, count(*) from tasks group by 1, ${quarterKinds}`,
  },
  {
    counted: sumOf("entity_weeks", "entity_key, week, organizational_unit_id"),
    real: `select entity_key, created_at / 604800000, organizational_unit_id, count(*) from tasks
      where entity_key is not null group by 1, 2, 3`,
  },
];

/** Statements that give the rows of the tables of counts which differ from a count of the tasks, on either database. */
export const findWrongCounts = counts.flatMap(({ counted, real }) => {
  const positive = `${counted} where count <> 0`;
  return [
    `select * from (${positive}) as a except select * from (${real}) as b`,
    `select * from (${real}) as a except select * from (${positive}) as b`,
  ];
});
