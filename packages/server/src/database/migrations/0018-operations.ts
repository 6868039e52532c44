import type { TaskCategory, TaskOutcome } from "@holdfast/api/resources/task-words";
import { type Kysely, sql } from "kysely";
import type { Columns } from "../columns";
import { evidenceColumns } from "../protection/entity-rows";
import { type EndedTask, isBackup } from "../protection/evidence";
import { takeInAllTasks } from "../protection/take-in-all-tasks";
import { followMonitorsOf } from "../protection/watchers";
import type { Schema } from "../schema";

type Tables = { [Name in keyof Schema]: { [Column in keyof Schema[Name]]: Schema[Name][Column] } };

/** What tasks are runs of, how each of these operations stands, and when silence without a monitor is noticed. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  // The index on it is built with the other indexes of tasks.
  await db.schema.alterTable("tasks").addColumn("operation", columns.text).execute();
  await addFollowedOperations(db, columns);
  await nameRunsOfMonitors(db);
  await db.schema.alterTable("organizational_units").addColumn("stale_after_days", "integer").execute();
  await addOperations(db);
  const tables = db.withTables<Tables>();
  await convertEvidence(tables);
  const retired = await tables.selectFrom("protected_entities").select("id").where("is_retired", "=", 1).execute();
  // Operations that ran seldom are not among the tasks that were kept as evidence.
  await takeInAllTasks(tables);
  const watching = await tables.selectFrom("monitors").select("organizational_unit_id").distinct().execute();
  for (const { organizational_unit_id } of watching) await followMonitorsOf(tables, organizational_unit_id);
  for (const { id } of retired) {
    await tables.updateTable("protected_entities").set({ is_retired: 1 }).where("id", "=", id).execute();
  }
}

/** Lets monitors follow an operation of what they protect: tasks of these which name no monitor are their runs. */
async function addFollowedOperations(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema.alterTable("monitors").addColumn("operation", columns.text).execute();
  await db.schema
    .createIndex("monitors_by_operation")
    .on("monitors")
    .columns(["organizational_unit_id", "operation"])
    .where(sql.ref("operation"), "is not", null)
    .execute();
}

/** Runs of monitors that there are get the slugs of these, as new ones do. */
async function nameRunsOfMonitors(db: Kysely<unknown>): Promise<void> {
  const { rows: monitors } = await sql<{ id: string; slug: string }>`select id, slug from monitors`.execute(db);
  for (const { id, slug } of monitors) {
    // A slug has letters, digits, _ and - alone, and a quotation mark within a text of the document has a backslash before it.
    const field = `"monitor_id":"${id}"`;
    await sql`update tasks set operation = ${slug}, document = replace(document, ${field}, ${`"operation":"${slug}",${field}`})
      where monitor_id = ${id} and type <> ${slug}`.execute(db);
  }
}

async function addOperations(db: Kysely<unknown>): Promise<void> {
  const change = () => db.schema.alterTable("protected_entities");
  await change()
    .addColumn("operations", "text", (c) => c.notNull().defaultTo("[]"))
    .execute();
  await change().addColumn("silent_since_at", "bigint").execute();
  await change()
    .addColumn("stale_before_at", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  await change().dropColumn("is_expected").execute();
  // Read alone when silence is looked for: rows are some kilobytes long.
  const index = (name: string) => db.schema.createIndex(`protected_entities_${name}`).on("protected_entities");
  await index("by_silence")
    .columns(["silent_since_at", "organizational_unit_id", "id"])
    .where(sql.ref("silent_since_at"), "is not", null)
    .execute();
  await index("by_staleness")
    .columns(["stale_before_at", "organizational_unit_id", "id"])
    .where(sql.ref("stale_before_at"), ">", sql.lit(0))
    .execute();
}

/** A task as evidence was stored before: without its type, its operation and its start. */
type OldEvidence = [
  id: string,
  category: TaskCategory,
  outcome: TaskOutcome,
  created: number,
  ended: number,
  by?: string,
];

const entitiesPerStep = 200;

/** Adds to the evidence what the tasks say. Of tasks that are gone it is not known what they were runs of. */
async function convertEvidence(db: Kysely<Tables>): Promise<void> {
  const slugs = new Map(
    (await db.selectFrom("monitors").select(["id", "slug"]).execute()).map(({ id, slug }) => [id, slug]),
  );
  for (let last = ""; ; ) {
    const rows = await db
      .selectFrom("protected_entities")
      .select(["id", "evidence"])
      .where("id", ">", last)
      .orderBy("id")
      .limit(entitiesPerStep)
      .execute();
    const end = rows.at(-1);
    if (!end) return;
    for (const { id, evidence } of rows) {
      const old: OldEvidence[] = JSON.parse(evidence);
      const tasks = guessOperations(old, await readKinds(db, old), slugs);
      const columns = evidenceColumns({ tasks, marks: [], staleBefore: 0 });
      await db.updateTable("protected_entities").set(columns).where("id", "=", id).execute();
    }
    last = end.id;
  }
}

type Kind = Pick<Tables["tasks"], "type" | "operation" | "started_at">;

async function readKinds(db: Kysely<Tables>, old: readonly OldEvidence[]): Promise<Map<string, Kind>> {
  if (old.length === 0) return new Map();
  const rows = await db
    .selectFrom("tasks")
    .select(["id", "type", "operation", "started_at"])
    .where(
      "id",
      "in",
      old.map(([id]) => id),
    )
    .execute();
  return new Map(rows.map(({ id, ...kind }) => [id, kind]));
}

/**
 * A task that is gone was a run of its monitor, if that is known; otherwise it is taken for a run of the same operation as the oldest
 * backup that is left, so that no fact is lost and no operation is made up.
 */
function guessOperations(
  old: readonly OldEvidence[],
  kinds: ReadonlyMap<string, Kind>,
  slugs: ReadonlyMap<string, string>,
): EndedTask[] {
  const oldest = old
    .filter(([id, category]) => kinds.has(id) && isBackup({ category }))
    .reduce<OldEvidence | undefined>((first, task) => (first && first[3] <= task[3] ? first : task), undefined);
  const left = kinds.get(oldest?.[0] ?? "");
  return old.map(([id, category, outcome, createdAt, endedAt, monitorId = null]) => {
    const kind = kinds.get(id);
    const type = kind?.type ?? left?.type ?? category;
    const guessed = slugs.get(monitorId ?? "") ?? left?.operation ?? type;
    const operation = kind ? (kind.operation ?? type) : guessed;
    const startedAt = kind?.started_at ?? createdAt;
    return { id, category, type, operation, outcome, createdAt, startedAt, endedAt, monitorId };
  });
}
