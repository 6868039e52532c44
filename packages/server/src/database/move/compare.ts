import { createHash } from "node:crypto";
import { sql } from "kysely";
import { isPostgres } from "../adapter";
import type { Database } from "../database";
import type { PlannedTable } from "./moved-tables";
import { type Look, type Row, readBatches } from "./rows";

/** Content of a table: equal rows give an equal checksum, whichever database they are in. */
export interface TableDigest {
  table: string;
  rows: number;
  /** SHA-256 of all rows in the order of their key, in hexadecimal. */
  checksum: string;
}

/** Result of a comparison. */
export interface Comparison {
  digests: TableDigest[];
  /** Difference, and what to do before trying again; nothing where both databases hold the same. */
  difference?: string;
}

const miscounted = "The tasks are not as many as task_totals says, in the source as well. Restore that from a backup";

const changedMeanwhile = "The source was changed while it was being checked. Stop the service";

/** Reads both databases back, each as of one moment, and compares what they hold. */
export async function compareDatabases(
  source: Database,
  target: Database,
  tables: readonly PlannedTable[],
  onRows: (count: number) => void,
): Promise<Comparison> {
  const before = await changeMark(source);
  const comparison = await source.snapshot((sourceDb) =>
    target.snapshot((targetDb) =>
      compareTables(
        (read) => read(sourceDb),
        (read) => read(targetDb),
        tables,
        onRows,
      ),
    ),
  );
  const isAsBefore = (await changeMark(source)) === before;
  return isAsBefore ? comparison : { ...comparison, difference: comparison.difference ?? changedMeanwhile };
}

async function compareTables(
  source: Look,
  target: Look,
  tables: readonly PlannedTable[],
  onRows: (count: number) => void,
): Promise<Comparison> {
  const digests: TableDigest[] = [];
  const tally = new Tally();
  for (const table of tables) {
    const [there, here] = await Promise.all([
      digestTable(source, table, () => {}),
      digestTable(target, table, (rows) => {
        tally.add(table, rows);
        onRows(rows.length);
      }),
    ]);
    if (there.checksum !== here.checksum) return { digests, difference: describe(there, here) };
    digests.push(here);
  }
  return tally.isEven() ? { digests } : { digests, difference: miscounted };
}

function describe(there: TableDigest, here: TableDigest): string {
  const counts =
    there.rows === here.rows
      ? `of ${there.rows} rows, some are not the same`
      : `${there.rows} rows in the source, ${here.rows} in the target`;
  return `The table ${there.table} differs (${counts}). Something was changed meanwhile. Stop the service`;
}

async function digestTable(look: Look, table: PlannedTable, visit: (rows: Row[]) => void): Promise<TableDigest> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const rows of readBatches(look, table, null)) {
    // Numbers, text and nothing look the same in JSON wherever they come from, and nothing can be taken for another.
    for (const row of rows) hash.update(`${JSON.stringify(table.columns.map((column) => row[column]))}\n`);
    count += rows.length;
    visit(rows);
  }
  return { table: table.name, rows: count, checksum: hash.digest("hex") };
}

/** Counts tasks of each kind up, and down again by what the totals say. */
class Tally {
  readonly #left = new Map<string, number>();

  add({ name }: PlannedTable, rows: readonly Row[]): void {
    if (name !== "tasks" && name !== "task_totals") return;
    for (const row of rows) {
      const kind = `${row.organizational_unit_id} ${row.category} ${row.type} ${row.status} ${row.outcome}`;
      const count = name === "tasks" ? 1 : -Number(row.count);
      this.#left.set(kind, (this.#left.get(kind) ?? 0) + count);
    }
  }

  isEven(): boolean {
    return [...this.#left.values()].every((count) => count === 0);
  }
}

/** Differs from an earlier one where rows were changed since. A whole PostgreSQL server is stamped too often for this. */
async function changeMark(database: Database): Promise<string> {
  const counted = await database.snapshot(async (db) => {
    if (!isPostgres(db)) return undefined;
    const { rows } = await sql<{ changes: number | null }>`
      select sum(n_tup_ins + n_tup_upd + n_tup_del) as changes from pg_stat_user_tables
      where schemaname = current_schema()`.execute(db);
    return rows[0]?.changes ?? 0;
  });
  return String(counted ?? (await database.dataVersions()).any);
}
