import { sql } from "kysely";
import type { Queries } from "../database";
import {
  deleteEntityRows,
  type EntityRow,
  evidenceColumns,
  knownEntity,
  namesOf,
  placeName,
  readEntityRows,
  saveEntityRows,
  selectEntities,
} from "./entity-rows";
import { joinEvidence } from "./evidence";
import { newestName } from "./given-name";
import type { OperationMarks } from "./operations";
import { followMonitorsOf } from "./watchers";

const rowsPerStep = 500;

/**
 * Moves what is known of the entities of a unit to another one. An entity that is there already takes in what is known of
 * the other: it is muted or retired only if both are.
 */
export async function moveEntities(db: Queries, from: string, to: string): Promise<void> {
  for (;;) {
    const both = await selectEntities(db)
      .where("organizational_unit_id", "=", from)
      .where(({ exists, selectFrom, ref }) =>
        exists(
          selectFrom("protected_entities as there")
            .select("there.id")
            .where("there.organizational_unit_id", "=", to)
            .where("there.entity_hash", "=", ref("protected_entities.entity_hash")),
        ),
      )
      .limit(rowsPerStep)
      .execute();
    if (both.length === 0) break;
    const there = await readEntityRows(
      db,
      both.map((row) => ({ unitId: to, hash: row.entity_hash })),
    );
    const joined = both.flatMap((row) => {
      const other = there.get(placeName({ unitId: to, hash: row.entity_hash }));
      return other ? [{ before: other, after: join(other, row) }] : [];
    });
    await saveEntityRows(db, joined);
    await deleteEntityRows(
      db,
      both.map(({ id }) => id),
    );
  }
  await db
    .updateTable("protected_entities")
    .set({ organizational_unit_id: to })
    .where("organizational_unit_id", "=", from)
    .execute();
  await followMonitorsOf(db, to);
}

function join(row: EntityRow, other: EntityRow): EntityRow {
  const names = [row, other].map(({ value_task_id: id, value_at: createdAt, value }) => ({ id, createdAt, value }));
  const name = newestName(names, { id: "", createdAt: 0, value: row.value });
  const [own, added] = [knownEntity(row), knownEntity(other)];
  const areMuted = row.muted_until !== null && other.muted_until !== null;
  return {
    ...row,
    ...namesOf(name.value),
    value_at: name.createdAt,
    value_task_id: name.id,
    first_seen_at: Math.min(row.first_seen_at, other.first_seen_at),
    muted_until: areMuted ? Math.min(row.muted_until ?? 0, other.muted_until ?? 0) : null,
    is_retired: Math.min(row.is_retired, other.is_retired),
    ...evidenceColumns({
      tasks: joinEvidence(added.tasks, own.tasks),
      marks: joinMarks(own.marks, added.marks),
      // Right for the unit that it is in now as soon as silence is looked at.
      staleBefore: Math.max(own.staleBefore, added.staleBefore),
    }),
  };
}

/** An operation that both have is retired only if both are. Which monitors watch it is found out afterwards. */
function joinMarks(own: readonly OperationMarks[], added: readonly OperationMarks[]): OperationMarks[] {
  const inUse = new Set([...own, ...added].flatMap(({ operation, isRetired }) => (isRetired ? [] : [operation])));
  const joined = new Map([...added, ...own].map((mark) => [mark.operation, mark]));
  return [...joined.values()].map((mark) => ({ ...mark, isRetired: !inUse.has(mark.operation) }));
}

/** True if a unit has entities that are not retired: deleting it would forget what is known of them. */
export async function hasEntities(db: Queries, unitId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from protected_entities where organizational_unit_id = ${unitId} and is_retired = 0 limit 1`.execute(db);
  return rows.length > 0;
}

/** Forgets the entities of a unit that goes. */
export async function forgetEntitiesOf(db: Queries, unitId: string): Promise<void> {
  await db.deleteFrom("protected_entities").where("organizational_unit_id", "=", unitId).execute();
}
