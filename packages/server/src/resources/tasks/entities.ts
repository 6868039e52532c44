import { foldCase } from "@holdfast/api/conventions/fold-case";
import type { Queries } from "../../database/database";
import type { TaskRecord } from "./record";

type Entity = NonNullable<TaskRecord["primary_entity"]>;

/** The keys of entities that were met before, so that a long import looks each up once. */
export type KnownEntities = Map<string, number>;

/** Finds the keys of what tasks protect, adding what is new. */
export async function entityKeys(
  db: Queries,
  entities: readonly Entity[],
  known: KnownEntities = new Map(),
): Promise<KnownEntities> {
  const fresh = new Map<string, Entity>();
  for (const entity of entities) {
    const name = identity(entity);
    if (!known.has(name)) fresh.set(name, entity);
  }
  if (fresh.size === 0) return known;
  const rows = await db
    .insertInto("entities")
    .values(
      [...fresh.values()].map(({ id, type, value }) => ({
        id,
        type,
        value,
        id_folded: foldCase(id),
        value_folded: foldCase(value),
      })),
    )
    // Writing what is there already makes the database give its key back, too.
    .onConflict((conflict) =>
      conflict.columns(["id", "type", "value"]).doUpdateSet((eb) => ({ id: eb.ref("excluded.id") })),
    )
    .returning(["key", "id", "type", "value"])
    .execute();
  for (const row of rows) known.set(identity(row), row.key);
  return known;
}

/** Tells entities apart; the lengths say where one part ends and the next begins. */
export function identity({ id, type, value }: Entity): string {
  return `${id.length} ${type.length} ${id}${type}${value}`;
}
