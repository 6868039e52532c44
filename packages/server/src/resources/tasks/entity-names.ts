import { foldCase } from "@holdfast/api/conventions/fold-case";
import { sql } from "kysely";
import { isPostgres } from "../../database/adapter";
import type { Stamp } from "../../database/database";
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
 * Finds entities whose id or name contains a text, in memory: looking through a few thousand rows takes longer than reading a
 * page. Entities are never changed and never removed, so that only those are read that came since the last time.
 */
export interface EntityNames {
  /** The keys of the entities that a condition matches; undefined where the database has to look for them. */
  find(snapshot: Snapshot, condition: TaskCondition): Promise<number[] | undefined>;
}

export function createEntityNames(most = mostKept): EntityNames {
  const keys: number[] = [];
  const ids: Names = { text: "", starts: [] };
  const values: Names = { text: "", starts: [] };
  let stamp: Stamp | undefined;
  const read = prepareQuery<{ last: number; limit: number }, EntityRow>(
    (slot) => sql<EntityRow>`
      select key, id_folded as id, value_folded as value from entities
      where key > ${slot("last")} order by key limit ${slot("limit")}`,
  );

  const isFull = () => ids.text.length + values.text.length > most;

  async function catchUp({ db, stamp: { tasks }, work }: Snapshot): Promise<void> {
    while (tasks !== stamp && !isFull()) {
      const last = keys.at(-1) ?? 0;
      const rows = await read.run(db, { last, limit: entitiesPerStep });
      // Another reading may have added them meanwhile.
      if (last !== (keys.at(-1) ?? 0)) continue;
      for (const { key, id, value } of rows) {
        keys.push(key);
        add(ids, id);
        add(values, value);
      }
      if (rows.length < entitiesPerStep) stamp = tasks;
      else await work.step();
    }
  }

  return {
    async find(snapshot, { field, operator, value }) {
      // On PostgreSQL an entity with a lower key can be committed later than one with a higher key.
      if (operator !== "$contains" || isPostgres(snapshot.db)) return undefined;
      if (!canBeStored(value)) return [];
      await catchUp(snapshot);
      if (isFull()) return undefined;
      return indexesOf(field === "primary_entity.id" ? ids : values, foldCase(value)).map((index) => keys[index] ?? 0);
    },
  };
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
