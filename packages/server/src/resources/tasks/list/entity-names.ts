import { foldCase } from "@holdfast/api/conventions/fold-case";
import { sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Queries } from "../../../database/database";
import { type PreparedQuery, prepareQuery } from "../../../database/prepared-query";
import { canBeStored } from "../../../lists/comparisons";
import type { Snapshot } from "../../../lists/list-source";
import type { TaskCondition } from "./conditions";

/** The folded ids or names of all entities, one after the other, to be searched as one text. */
interface Names {
  readonly text: string;
  /** Where the name of each entity begins. */
  readonly starts: readonly number[];
}

interface EntityRow {
  key: number;
  id: string;
  value: string;
}

/** No stored text has it, so that nothing is found across two names. */
const separator = "\0";
/** So many characters of names are kept at most. With more, the database looks through them. */
const mostKept = 2_000_000;
/** How many entities one statement reads. */
const entitiesPerStep = 5_000;

/**
 * The names of all entities of a snapshot, to find in memory those whose id or name contains a text: looking through a few thousand
 * rows takes longer than reading a page.
 */
export interface EntityNames {
  readonly keys: readonly number[];
  readonly ids: Names;
  readonly values: Names;
  /** Reads the entities after the last. */
  readonly readNext: PreparedQuery<{ last: number; limit: number }, EntityRow>;
}

const prepareNext = () =>
  prepareQuery<{ last: number; limit: number }, EntityRow>(
    (slot) => sql<EntityRow>`
      select key, id_folded as id, value_folded as value from entities
      where key > ${slot("last")} order by key limit ${slot("limit")}`,
  );

const noNames = (readNext = prepareNext()): EntityNames => ({
  keys: [],
  ids: { text: "", starts: [] },
  values: { text: "", starts: [] },
  readNext,
});

/** Reads the names of all entities, beginning with those that are known; null where they are too many to be kept. */
export async function readEntityNames(
  snapshot: Snapshot,
  known: EntityNames = noNames(),
  most: number = mostKept,
): Promise<EntityNames | null> {
  const names = await addNewNames(snapshot, known, most);
  if (!names || !isPostgres(snapshot.db) || names.keys.length === (await countEntities(snapshot.db))) return names;
  // On PostgreSQL an entity with a lower key can be committed later than one with a higher key. Then all are read again.
  return addNewNames(snapshot, noNames(known.readNext), most);
}

/** The keys of the entities that a condition matches; undefined where the database has to look for them. */
export function findByName({ keys, ids, values }: EntityNames, condition: TaskCondition): number[] | undefined {
  const { field, operator, value } = condition;
  if (operator !== "$contains") return undefined;
  if (!canBeStored(value)) return [];
  return indexesOf(field === "primary_entity.id" ? ids : values, foldCase(value)).map((index) => keys[index] ?? 0);
}

/** Adds the names of the entities whose keys are higher. */
async function addNewNames({ db, work }: Snapshot, known: EntityNames, most: number): Promise<EntityNames | null> {
  let names = known;
  const isTooMuch = () => names.ids.text.length + names.values.text.length > most;
  while (!isTooMuch()) {
    const rows = await names.readNext.run(db, { last: names.keys.at(-1) ?? 0, limit: entitiesPerStep });
    if (rows.length > 0) names = withNames(names, rows);
    if (rows.length < entitiesPerStep) break;
    await work.step();
  }
  return isTooMuch() ? null : names;
}

async function countEntities(db: Queries): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from entities`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

function withNames({ keys, ids, values, readNext }: EntityNames, rows: readonly EntityRow[]): EntityNames {
  return {
    readNext,
    keys: [...keys, ...rows.map(({ key }) => key)],
    ids: append(ids, (row) => row.id, rows),
    values: append(values, (row) => row.value, rows),
  };
}

function append(names: Names, nameOf: (row: EntityRow) => string, rows: readonly EntityRow[]): Names {
  let { text } = names;
  const starts = [...names.starts];
  for (const row of rows) {
    starts.push(text.length);
    text += nameOf(row) + separator;
  }
  return { text, starts };
}

/** Which of the names contain a text. */
function indexesOf({ text, starts }: Names, part: string): number[] {
  const found: number[] = [];
  if (starts.length === 0) return found;
  for (let at = text.indexOf(part); at >= 0; ) {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    found.push(low);
    const next = starts[low + 1];
    at = next === undefined ? -1 : text.indexOf(part, next);
  }
  return found;
}
