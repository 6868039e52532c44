import { foldCase } from "@holdfast/api/conventions/fold-case";
import { sql } from "kysely";
import { isPostgres } from "../../database/adapter";
import { prepareQuery } from "../../database/prepared-query";
import { canBeStored } from "../../lists/comparisons";
import type { Snapshot } from "../../lists/list-source";
import type { TaskCondition } from "./conditions";

/** The folded ids or names of all entities, one after the other, to be searched as one text. */
interface Names {
  text: string;
  /** Where the name of each entity begins. */
  starts: number[];
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
 * The names of all entities, to find in memory those whose id or name contains a text: looking through a few thousand rows takes
 * longer than reading a page.
 */
export interface EntityNames {
  /** Reads those that came since the last time. False where they are too many to be kept. */
  catchUp(snapshot: Snapshot): Promise<boolean>;
  /** The keys of the entities that a condition matches; undefined where the database has to look for them. */
  find(condition: TaskCondition): number[] | undefined;
}

export function createEntityNames(most = mostKept): EntityNames {
  const keys: number[] = [];
  const ids: Names = { text: "", starts: [] };
  const values: Names = { text: "", starts: [] };
  const newEntities = prepareQuery<{ last: number; limit: number }, EntityRow>(
    (slot) => sql<EntityRow>`
      select key, id_folded as id, value_folded as value from entities
      where key > ${slot("last")} order by key limit ${slot("limit")}`,
  );
  const isFull = () => ids.text.length + values.text.length > most;
  return {
    async catchUp({ db, work }) {
      while (!isFull()) {
        const last = keys.at(-1) ?? 0;
        const rows = await newEntities.run(db, { last, limit: entitiesPerStep });
        // Another reading may have added them meanwhile.
        if (last !== (keys.at(-1) ?? 0)) continue;
        for (const { key, id, value } of rows) {
          keys.push(key);
          add(ids, id);
          add(values, value);
        }
        if (rows.length < entitiesPerStep) break;
        await work.step();
      }
      return !isFull();
    },
    find({ field, operator, value }) {
      if (operator !== "$contains") return undefined;
      if (!canBeStored(value)) return [];
      return indexesOf(field === "primary_entity.id" ? ids : values, foldCase(value)).map((index) => keys[index] ?? 0);
    },
  };
}

/** Reads the names of all entities; null where the database has to look for them each time. */
export async function readEntityNames(snapshot: Snapshot, names = createEntityNames()): Promise<EntityNames | null> {
  // On PostgreSQL an entity with a lower key can be committed later than one with a higher key.
  if (isPostgres(snapshot.db)) return null;
  return (await names.catchUp(snapshot)) ? names : null;
}

function add(names: Names, name: string): void {
  names.starts.push(names.text.length);
  names.text += name + separator;
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
