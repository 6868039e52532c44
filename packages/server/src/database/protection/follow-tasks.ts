import { randomUUID } from "node:crypto";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import type { Queries } from "../database";
import { takeLock } from "../locks";
import {
  deleteEntityRows,
  type Entity,
  type EntityChange,
  type EntityPlace,
  type EntityRow,
  evidenceColumns,
  hashOf,
  knownEntity,
  namesOf,
  placeName,
  readEntityRows,
  saveEntityRows,
} from "./entity-rows";
import { type EndedTask, joinEvidence } from "./evidence";
import { type GivenName, newestName } from "./given-name";
import { areAllRetired, type OperationMarks, readMarks } from "./operations";
import { type RemainingTasks, readRemaining } from "./remaining-tasks";
import { readWatchers, runsFrom, unwatched, watchRow } from "./watchers";

/** A task, as far as entities follow it. */
export interface SeenTask {
  id: string;
  unitId: string;
  entity: Entity | null;
  createdAt: number;
  /** Operation that it is a run of; null unless it is a backup or a snapshot. */
  operation: string | null;
  /** Null until it has ended. */
  ended: EndedTask | null;
}

/** A task that was added or changed. */
export interface SeenChange {
  task: SeenTask;
  /** The task before; null for a new one. */
  before: SeenTask | null;
}

/** Changes to one entity. */
interface Touched extends EntityPlace {
  entity: Entity;
  /** Tasks that it did not have before. */
  came: SeenTask[];
  /** Tasks that it had before and that have changed. */
  changed: SeenTask[];
  /** Tasks that are another entity's now, or of none. */
  left: SeenTask[];
  /** Tasks whose earlier end does not hold any more. */
  retracted: Set<string>;
}

/**
 * Keeps what is known of entities in step with their tasks, in the transaction that writes these. What retention has removed
 * meanwhile stays known.
 */
export async function followEntities(db: Queries, changes: readonly SeenChange[]): Promise<void> {
  // In one order: reports that are written at the same time lock the entities that they change.
  const touched = [...touchedBy(changes).values()].sort((one, other) => (placeName(one) < placeName(other) ? -1 : 1));
  if (touched.length === 0) return;
  const stored = await readEntityRows(db, touched);
  const missing = touched.filter((one) => !stored.has(placeName(one)));
  if (missing.length > 0) {
    // Another report may be adding one of them.
    await takeLock(db, "entities");
    for (const [name, row] of await readEntityRows(db, missing)) stored.set(name, row);
  }
  const folded: EntityChange[] = [];
  const gone: string[] = [];
  for (const one of touched) {
    const before = stored.get(placeName(one));
    const needsMore = one.left.length > 0 || one.retracted.size > 0;
    const remaining = needsMore ? await readRemaining(db, one.unitId, one.entity) : undefined;
    const after = fold(one, before, remaining);
    if (after) folded.push({ before, after });
    else if (before) gone.push(before.id);
  }
  await saveEntityRows(db, await watch(db, folded));
  await deleteEntityRows(db, gone);
}

function touchedBy(changes: readonly SeenChange[]): Map<string, Touched> {
  const touched = new Map<string, Touched>();
  const touch = (task: SeenTask, entity: Entity): Touched => {
    const place = { unitId: task.unitId, hash: hashOf(entity) };
    const known = touched.get(placeName(place));
    if (known) return known;
    const one: Touched = { ...place, entity, came: [], changed: [], left: [], retracted: new Set() };
    touched.set(placeName(place), one);
    return one;
  };
  for (const { task, before } of changes) {
    const isSameEntity = isSame(task.entity, before?.entity ?? null);
    if (before && isSameEntity && task.entity?.value === before.entity?.value && isSameEnd(task, before)) continue;
    if (before?.entity && !isSameEntity) touch(before, before.entity).left.push(before);
    if (!task.entity) continue;
    const one = touch(task, task.entity);
    if (before && isSameEntity) one.changed.push(task);
    else one.came.push(task);
    if (before?.ended && isSameEntity && !isSameEnd(task, before)) one.retracted.add(task.id);
  }
  return touched;
}

function isSame(one: Entity | null, other: Entity | null): boolean {
  return one?.id === other?.id && one?.type === other?.type;
}

function isSameEnd({ ended: one }: SeenTask, { ended: other }: SeenTask): boolean {
  return one?.outcome === other?.outcome && one?.endedAt === other?.endedAt;
}

/** The row of an entity after what has happened to it; nothing where no task of it is known any more. */
function fold(
  touched: Touched,
  before: EntityRow | undefined,
  remaining: RemainingTasks | undefined,
): EntityRow | undefined {
  const { unitId, hash, entity, came, changed, left } = touched;
  const present = [...came, ...changed];
  const hasOnlyBegun = !remaining && present.every(({ ended }) => !ended);
  // Known facts need not be read for a task that has only begun, as most reports say.
  const facts = before && hasOnlyBegun && !hasRetired(before) ? before : foldFacts(touched, before, remaining);
  if (!facts) return undefined;
  const leftIds = new Set(left.map(({ id }) => id));
  const name = newestName(
    [
      ...(before && !leftIds.has(before.value_task_id) ? [nameOf(before)] : []),
      ...(remaining?.newest ? [remaining.newest] : []),
      ...present.map(({ id, createdAt, entity: named }) => ({ id, createdAt, value: named?.value ?? "" })),
    ],
    before ? nameOf(before) : { id: "", createdAt: 0, value: entity.value },
  );
  const isFirstGone = left.some(({ createdAt }) => createdAt === before?.first_seen_at);
  return {
    ...facts,
    id: before?.id ?? randomUUID(),
    organizational_unit_id: unitId,
    entity_hash: hash,
    entity_type: entity.type,
    entity_id: entity.id,
    entity_id_folded: foldCase(entity.id),
    ...namesOf(name.value),
    value_at: name.createdAt,
    value_task_id: name.id,
    first_seen_at: Math.min(
      ...(before && !isFirstGone ? [before.first_seen_at] : []),
      ...(isFirstGone ? [remaining?.firstCreatedAt ?? before?.first_seen_at ?? Number.MAX_SAFE_INTEGER] : []),
      ...present.map(({ createdAt }) => createdAt),
    ),
    monitor_ids: before?.monitor_ids ?? unwatched.monitor_ids,
    expected_period_seconds: before?.expected_period_seconds ?? null,
    muted_until: before?.muted_until ?? null,
  };
}

/** True if new tasks may end the retirement of an entity, or of one of its operations. */
function hasRetired(row: EntityRow): boolean {
  return row.is_retired === 1 || readMarks(row.operations).some(({ isRetired }) => isRetired);
}

/** Facts that follow from the ended tasks of an entity; nothing where no task of it is known any more. */
function foldFacts(
  { came, changed, left, retracted }: Touched,
  before: EntityRow | undefined,
  remaining: RemainingTasks | undefined,
) {
  const leftIds = new Set(left.map(({ id }) => id));
  const known = before ? knownEntity(before) : { tasks: [], marks: [], staleBefore: 0 };
  const kept = known.tasks.filter(({ id }) => !retracted.has(id) && !leftIds.has(id));
  const present = [...came, ...changed];
  const tasks = joinEvidence(
    remaining?.ended ?? [],
    kept,
    present.flatMap(({ ended }) => ended ?? []),
  );
  if (present.length === 0 && tasks.length === 0 && !remaining?.newest) return undefined;
  return {
    is_retired: isInUseAgain(known.marks, came) ? 0 : (before?.is_retired ?? 0),
    ...evidenceColumns({ ...known, tasks, marks: resume(known.marks, came) }),
  };
}

/** Ends the retirement of operations that have run again. */
function resume(marks: readonly OperationMarks[], came: readonly SeenTask[]): OperationMarks[] {
  const resumed = operationsRunIn(came);
  return marks.map((mark) => ({ ...mark, isRetired: mark.isRetired && !resumed.has(mark.operation) }));
}

/** Returns true if new tasks end the retirement of an entity. If its operations were retired one by one, only a backup does. */
function isInUseAgain(marks: readonly OperationMarks[], came: readonly SeenTask[]): boolean {
  return areAllRetired(marks) ? operationsRunIn(came).size > 0 : came.length > 0;
}

/** Operations that some tasks are runs of. A run that did not come is none. */
function operationsRunIn(tasks: readonly SeenTask[]): Set<string> {
  const begun = tasks.filter(({ ended }) => ended?.outcome !== "missed" && ended?.outcome !== "expired");
  return new Set(begun.flatMap(({ operation }) => operation ?? []));
}

function nameOf({ value_task_id: id, value_at: createdAt, value }: EntityRow): GivenName {
  return { id, createdAt, value };
}

function areOtherRuns(before: EntityRow, after: EntityRow): boolean {
  const areSame = before.evidence === after.evidence && before.operations === after.operations;
  return !areSame && runsFrom(before) !== runsFrom(after);
}

/** Asks the monitors about entities that are new, or whose operations or monitors are other ones. */
async function watch(db: Queries, folded: readonly EntityChange[]): Promise<EntityChange[]> {
  const asked = new Set(folded.filter(({ before, after }) => !before || areOtherRuns(before, after)));
  // Another report may be changing what a monitor watches.
  if (asked.size > 0) await takeLock(db, "entities");
  const find = await readWatchers(
    db,
    [...asked].map(({ after }) => after.organizational_unit_id),
  );
  return folded.map((one) => (asked.has(one) ? { ...one, after: watchRow(one.after, find) } : one));
}
