import type { Filter } from "@holdfast/api/conventions/filter";
import type { EntityCountFilterField } from "@holdfast/api/resources/entities";
import { type EntityState, entityStates } from "@holdfast/api/resources/entity-words";
import { sql } from "kysely";
import { allOf } from "../../lists/comparisons";
import type { ListScope, ListSource, Placed, Slice, Snapshot } from "../../lists/list-source";
import type { OwnParameters } from "../../operations/parameterized-list";
import { compareEntity, entitiesIn } from "./list-entities";

/** Number of entities in a state. */
export interface EntityCount extends Placed {
  state: EntityState;
  count: number;
}

type CountFilter = Filter<EntityCountFilterField>;

/** Counts what is protected in a unit and below it by state, what needs attention first. There are as many items as states. */
const entityCountSource: ListSource<EntityCount, EntityCountFilterField> = {
  async listSnapshot(snapshot, scope, filter) {
    const counts = await countEntities(snapshot, scope, filter);
    return { total: counts.length, watermark: 0, furthest: null };
  },
  async read(snapshot, scope, filter, { from, count }) {
    const counts = await countEntities(snapshot, scope, filter);
    if ("skip" in from) return counts.slice(from.skip, from.skip + count);
    const found = counts.filter((row) => isBeyond(row, from));
    return ("before" in from ? found.toReversed() : found).slice(0, count);
  },
};

/** The list, which takes no parameters of its own but shares its resource with another one. */
export const entityCountList: OwnParameters<EntityCount, EntityCountFilterField> = {
  names: [],
  read: () => () => entityCountSource,
};

async function countEntities({ db }: Snapshot, scope: ListScope, filter: CountFilter): Promise<EntityCount[]> {
  const { rows } = await sql<{ state_rank: number; count: number }>`
    select state_rank, count(*) as count from protected_entities
    where ${allOf([...entitiesIn(scope), ...filter.map(compareEntity)])}
    group by state_rank order by state_rank`.execute(db);
  return rows.flatMap(({ state_rank, count }) => {
    const state = entityStates[state_rank];
    return state ? [{ state, count, place: { key: state_rank, id: state } }] : [];
  });
}

function isBeyond({ place: { key } }: EntityCount, from: Exclude<Slice["from"], { skip: number }>): boolean {
  return "after" in from ? key > from.after.key : key < from.before.key;
}

/** Writes a count as JSON. */
export function writeEntityCount({ state, count }: EntityCount): string {
  return JSON.stringify({ state, count });
}
