import { sql } from "kysely";
import type { Queries } from "../database";
import type { Entity } from "./entity-rows";
import { type EndedTask, isBackup, keepEvidence } from "./evidence";
import { followEntities, type SeenChange, type SeenTask } from "./follow-tasks";
import { endOf, type TaskFactsRow, taskFactsColumns } from "./remaining-tasks";

interface StoredTask extends TaskFactsRow {
  entity_key: number;
  organizational_unit_id: string;
}

/** What the tasks of one name in one unit say: few of them, however many there are. */
interface Gathered {
  first: SeenTask;
  newest: SeenTask;
  ended: EndedTask[];
  /** Number of these when they were last thinned out. */
  thinnedTo: number;
}

const tasksPerStep = 5_000;
const namesPerStep = 500;
/** So many more ended tasks than were left the last time are thinned out before the next. */
const mostGathered = 200;

/**
 * Takes in all tasks that there are. It reads them in the order of their entities, a few at a time, so a million of them take
 * no more memory than a few thousand.
 */
export async function takeInAllTasks(db: Queries): Promise<void> {
  for (let last = 0; ; ) {
    const names = await db
      .selectFrom("entities")
      .select(["key", "id", "type", "value"])
      .where("key", ">", last)
      .orderBy("key")
      .limit(namesPerStep)
      .execute();
    const [first, end] = [names[0], names.at(-1)];
    if (!first || !end) return;
    const entities = new Map(names.map(({ key, ...entity }) => [key, entity]));
    await takeInNames(db, entities, first.key, end.key);
    last = end.key;
  }
}

async function takeInNames(
  db: Queries,
  entities: ReadonlyMap<number, Entity>,
  first: number,
  last: number,
): Promise<void> {
  const gathered = new Map<string, Gathered>();
  let place = { key: first, createdAt: Number.MIN_SAFE_INTEGER, id: "" };
  for (;;) {
    const { rows } = await sql<StoredTask>`
      select entity_key, organizational_unit_id, ${taskFactsColumns} from tasks
      where (entity_key, created_at, id) > (${place.key}, ${place.createdAt}, ${place.id}) and entity_key <= ${last}
      order by entity_key, created_at, id limit ${tasksPerStep}`.execute(db);
    for (const row of rows) gather(gathered, row, entities.get(row.entity_key) ?? null);
    const end = rows.at(-1);
    if (!end || rows.length < tasksPerStep) break;
    place = { key: end.entity_key, createdAt: end.created_at, id: end.id };
  }
  const changes = [...gathered.values()].flatMap(changesOf);
  for (let from = 0; from < changes.length; from += tasksPerStep) {
    await followEntities(db, changes.slice(from, from + tasksPerStep));
  }
}

function gather(gathered: Map<string, Gathered>, row: StoredTask, entity: Entity | null): void {
  const task: SeenTask = {
    id: row.id,
    unitId: row.organizational_unit_id,
    entity,
    createdAt: row.created_at,
    operation: isBackup(row) ? (row.operation ?? row.type) : null,
    ended: endOf(row),
  };
  const name = `${row.entity_key} ${row.organizational_unit_id}`;
  const known = gathered.get(name);
  if (known) {
    known.newest = task;
    if (task.ended) known.ended.push(task.ended);
    if (known.ended.length > known.thinnedTo + mostGathered) {
      known.ended = keepEvidence(known.ended);
      known.thinnedTo = known.ended.length;
    }
  } else {
    gathered.set(name, { first: task, newest: task, ended: task.ended ? [task.ended] : [], thinnedTo: 0 });
  }
}

/** Tasks that say all that is to be known. */
function changesOf({ first, newest, ended }: Gathered): SeenChange[] {
  const { unitId, entity } = newest;
  const seen = ended.map((end): SeenTask => {
    const { id, createdAt, operation } = end;
    return { id, unitId, entity, createdAt, operation: isBackup(end) ? operation : null, ended: end };
  });
  return [first, ...seen, newest].map((task) => ({ task, before: null }));
}
