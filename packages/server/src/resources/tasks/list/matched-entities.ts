import type { Condition } from "@holdfast/api/conventions/filter";
import { type Expression, type SqlBool, sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Queries } from "../../../database/database";
import { compareExactly, compareFolded, never } from "../../../lists/comparisons";
import type { Snapshot } from "../../../lists/list-source";
import type { TaskCondition } from "./conditions";
import { type EntityNames, findByName } from "./entity-names";

/** The keys of the entities that a condition matches; undefined where they are too many to name. */
export type MatchedEntities = readonly number[] | undefined;

const mostNamed = 200;
/** How many entities one statement looks through. */
const entitiesPerStep = 50_000;

/** Finds the entities that a condition on an entity matches. */
export async function findEntities(
  snapshot: Snapshot,
  condition: TaskCondition,
  names: EntityNames | null,
): Promise<MatchedEntities> {
  const known = names && findByName(names, condition);
  if (known) return known.length > mostNamed ? undefined : known;
  const { db, work } = snapshot;
  const newest = await sql<{ key: number | null }>`select max(key) as key from entities`.execute(db);
  const last = newest.rows[0]?.key ?? 0;
  const keys: number[] = [];
  for (let from = 0; from < last; from += entitiesPerStep) {
    if (from > 0) await work.step();
    const { rows } = await sql<{ key: number }>`
      select key from entities
      where ${entityMatches(condition)} and key > ${from} and key <= ${from + entitiesPerStep}
      limit ${mostNamed + 1 - keys.length}`.execute(db);
    keys.push(...rows.map(({ key }) => key));
    if (keys.length > mostNamed) return undefined;
  }
  return keys;
}

/** The condition on a task that its entity is one of those. */
export function entityCondition(db: Queries, condition: Condition, matched: MatchedEntities): Expression<SqlBool> {
  // One look at the entity of each task, instead of a list of all that match: there is no end to those.
  if (!matched)
    return sql<SqlBool>`exists (select 1 from entities where key = entity_key and ${entityMatches(condition)})`;
  if (matched.length === 0) return never;
  const [only, ...others] = matched;
  if (others.length === 0) return sql<SqlBool>`entity_key = ${only}`;
  // As one value, because writing a statement with hundreds of them takes longer than running it.
  if (isPostgres(db)) return sql<SqlBool>`entity_key = any(cast(${`{${matched.join(",")}}`} as bigint[]))`;
  return sql<SqlBool>`entity_key in (select value from json_each(${JSON.stringify(matched)}))`;
}

/** The condition on an entity itself. */
export function entityMatches(condition: Condition): Expression<SqlBool> {
  const column = condition.field === "primary_entity.id" ? "entities.id" : "entities.value";
  return condition.operator === "$contains"
    ? compareFolded(`${column}_folded`, condition)
    : compareExactly(column, condition);
}
