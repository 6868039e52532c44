import { statSync } from "node:fs";
import { dirname } from "node:path";
import { Refusal } from "../../settings/refusal";
import { isOutOfDate, refuseNewerSchema } from "../common/migrate";
import { refuseUnfinishedMove } from "../common/unfinished-move";
import type { Queries } from "../database";
import { inspectDatabase, sqlitePath } from "../open-database";
import { withoutPassword } from "../postgres/url";
import { findServing, nameProcess } from "../serving-processes";
import { foreignTables, type MovePlan, tablesToFill } from "./moved-tables";
import { findFilledTable, readTables } from "./read-tables";

/** Looks at a database that is to be moved, without making or changing anything. Gives what its secret is checked with. */
export async function inspectSource(url: string): Promise<string> {
  const path = sqlitePath(url);
  if (path !== undefined && !isFile(path)) {
    throw new Refusal(`There is no database ${path}. Name the one that the service uses with --from.`);
  }
  const check = await inspectDatabase(url, findSecretCheck);
  if (check === undefined) {
    throw new Refusal(
      `There is no installation of Holdfast in ${withoutPassword(url)}. Name the database that the service uses with --from.`,
    );
  }
  if (check === "old") {
    throw new Refusal(
      `The database ${withoutPassword(url)} was made by an older version of Holdfast. Start this version on it once with holdfast serve, then move it.`,
    );
  }
  return check;
}

async function findSecretCheck(db: Queries): Promise<string | undefined> {
  const tables = await readTables(db);
  await refuseUnfinishedMove(db);
  if (!tables.has("kysely_migration") || !tables.has("installation")) return undefined;
  await refuseNewerSchema(db);
  if (await isOutOfDate(db)) return "old";
  const row = await db.selectFrom("installation").select("secret_check").executeTakeFirst();
  return row?.secret_check;
}

/** Looks at a database that is to be moved into, without making or changing anything, and refuses one that is in use. */
export async function inspectTarget(url: string, plan: MovePlan): Promise<void> {
  const path = sqlitePath(url);
  if (path !== undefined && !isFile(path)) {
    const folder = dirname(path);
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    throw new Refusal(`There is no folder ${folder}. Make it first: mkdir -p -m 700 ${folder}`);
  }
  const problem = await inspectDatabase(url, async (db) => {
    const tables = await readTables(db);
    if (tables.has("database_move")) return undefined;
    const [foreign] = foreignTables(plan, tables);
    return foreign ?? (await findFilledTable(db, tablesToFill(plan, tables)));
  });
  if (problem !== undefined) throw notEmpty(url, problem);
}

/** Refuses a database that a service uses: what it writes from now on would be missing or in the way. */
export async function refuseServedEnd(url: string): Promise<void> {
  const path = sqlitePath(url);
  if (path !== undefined && !isFile(path)) return;
  const [service] = await inspectDatabase(url, async (db) =>
    (await readTables(db)).has("serving_processes") ? findServing(db) : [],
  );
  if (service === undefined) return;
  throw new Refusal(
    `A service uses the database ${withoutPassword(url)} (${nameProcess(service)}). Stop it first. With --while-serving the move goes on all the same, and what is written meanwhile may stay behind.`,
  );
}

/** Refusal for a database that is not empty. */
export function notEmpty(url: string, table: string): Refusal {
  return new Refusal(
    `The database ${withoutPassword(url)} is not empty: it has a table ${table} that is in use. Name an empty one with --to.`,
  );
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
