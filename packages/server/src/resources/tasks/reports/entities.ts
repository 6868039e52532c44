import { foldCase } from "@holdfast/api/conventions/fold-case";
import { type SqlBool, sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Queries } from "../../../database/database";
import { prepareQuery } from "../../../database/prepared-query";
import type { TaskRecord } from "../record";

type Entity = NonNullable<TaskRecord["primary_entity"]>;

const entitiesPerStatement = 200;

/** The keys of entities, by identity: a long import looks each up once. */
export type KnownEntities = Map<string, number>;

/** Finds the keys of those of the entities that are not known yet, adding what is new. */
export async function findEntityKeys(
  db: Queries,
  entities: readonly Entity[],
  known: ReadonlyMap<string, number>,
): Promise<KnownEntities> {
  const wanted = new Map<string, Entity>();
  for (const entity of entities) {
    const name = identity(entity);
    if (!known.has(name)) wanted.set(name, entity);
  }
  const found: KnownEntities = new Map();
  // In one order, so that two who add the same do not wait for each other.
  const inOrder = [...wanted].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, entity]) => entity);
  for (let from = 0; from < inOrder.length; from += entitiesPerStatement) {
    const some = inOrder.slice(from, from + entitiesPerStatement);
    await readKeys(db, some, found);
    const missing = some.filter((entity) => !found.has(identity(entity)));
    if (missing.length === 0) continue;
    await addEntities(db, missing);
    await readKeys(db, missing, found);
  }
  return found;
}

type KeyRow = Entity & { key: number };

/** Of SQLite. */
const keyOf = prepareQuery<Entity, KeyRow>(
  (slot) => sql<KeyRow>`
    select key, id, type, value from entities
    where id = ${slot("id")} and type = ${slot("type")} and value = ${slot("value")}`,
);

async function readKeys(db: Queries, entities: readonly Entity[], into: KnownEntities): Promise<void> {
  if (!isPostgres(db)) {
    for (const entity of entities) for (const row of await keyOf.run(db, entity)) into.set(identity(row), row.key);
    return;
  }
  // PostgreSQL does not find out by itself what these are.
  const text = (value: string) => sql`cast(${value} as text)`;
  const names = sql.join(entities.map(({ id, type, value }) => sql`(${text(id)}, ${text(type)}, ${text(value)})`));
  const rows = await db
    .selectFrom("entities")
    .select(["key", "id", "type", "value"])
    .where(sql<SqlBool>`(id, type, value) in (values ${names})`)
    .execute();
  for (const row of rows) into.set(identity(row), row.key);
}

async function addEntities(db: Queries, entities: readonly Entity[]): Promise<void> {
  await db
    .insertInto("entities")
    .values(
      entities.map(({ id, type, value }) => ({
        id,
        type,
        value,
        id_folded: foldCase(id),
        value_folded: foldCase(value),
      })),
    )
    .onConflict((conflict) => conflict.columns(["id", "type", "value"]).doNothing())
    .execute();
}

/** Identifies an entity; the lengths say where one part ends and the next begins. */
export function identity({ id, type, value }: Entity): string {
  return `${id.length} ${type.length} ${id}${type}${value}`;
}
