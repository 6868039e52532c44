import { createHash } from "node:crypto";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import {
  type MonitorSuggestionV1,
  maxSuggestedEntities,
  suggestionRuns,
} from "@holdfast/api/resources/monitor-suggestions";
import { type SqlBool, sql } from "kysely";
import type { Queries } from "../../../database/database";
import { type EntityRow, operationsOfRow, selectEntities } from "../../../database/protection/entity-rows";
import type { Operation } from "../../../database/protection/operations";
import type { ListScope, Snapshot } from "../../../lists/list-source";
import { slugOf } from "../store";
import { suggestSchedule } from "./suggest-schedule";

const entitiesPerStatement = 100;
/** Number of entities examined in one step: each of their operations takes about a millisecond. */
const entitiesPerStep = 10;
const unitsPerStatement = 500;
/** A task of such an outcome was no run: it never began. */
const neverBegan: readonly string[] = ["missed", "expired"];

export interface SuggestionOptions {
  timeZone: string;
  now: number;
}

/** Suggests a monitor for each operation of the unit and below it that nothing watches, by the name of what it protects. */
export async function suggestMonitors(
  { db, work }: Snapshot,
  scope: ListScope,
  options: SuggestionOptions,
): Promise<MonitorSuggestionV1[]> {
  const found: MonitorSuggestionV1[] = [];
  let last: Pick<EntityRow, "sort_name" | "id"> | undefined;
  for (let read = 0; read < maxSuggestedEntities; read += entitiesPerStatement) {
    const rows = await readUnwatched(db, scope, last);
    for (let from = 0; from < rows.length; from += entitiesPerStep) {
      await work.step();
      found.push(...rows.slice(from, from + entitiesPerStep).flatMap((row) => suggestionsFor(row, options)));
    }
    last = rows.at(-1);
    if (rows.length < entitiesPerStatement) break;
  }
  return withFreeSlugs(db, found);
}

/** The next entities that can have an operation that nothing watches: what is good has none. */
function readUnwatched(db: Queries, { unitId }: ListScope, after: Pick<EntityRow, "sort_name" | "id"> | undefined) {
  return selectEntities(db)
    .where("is_retired", "=", 0)
    .where("state", "<>", "good")
    .where(
      sql<SqlBool>`organizational_unit_id in (select unit_id from organizational_unit_paths where ancestor_id = ${unitId})`,
    )
    .$if(after !== undefined, (query) =>
      query.where(sql<SqlBool>`(sort_name, id) > (${after?.sort_name ?? ""}, ${after?.id ?? ""})`),
    )
    .orderBy("sort_name")
    .orderBy("id")
    .limit(entitiesPerStatement)
    .execute();
}

function suggestionsFor(row: EntityRow, options: SuggestionOptions): MonitorSuggestionV1[] {
  return operationsOfRow(row).flatMap((operation) => suggestionFor(row, operation, options) ?? []);
}

function suggestionFor(
  row: EntityRow,
  { operation, type, isRetired, monitorIds, runs }: Operation,
  options: SuggestionOptions,
): MonitorSuggestionV1 | undefined {
  if (isRetired || monitorIds.length > 0 || runs.length < suggestionRuns.min) return undefined;
  const begun = runs.filter(({ outcome }) => !neverBegan.includes(outcome));
  const suggested = suggestSchedule(
    begun.map(({ startedAt }) => startedAt),
    options,
  );
  const newest = begun.at(-1);
  if (!suggested || !newest) return undefined;
  const { schedule, graceSeconds, confidence, runs: count, maxDeviationSeconds, reason } = suggested;
  const entity = { id: row.entity_id, type: row.entity_type, value: row.value };
  const unit = { organizational_unit_id: row.organizational_unit_id };
  const name = [...`${row.value}: ${operation}`].slice(0, textLimits.name).join("").trim();
  const work = { type, primary_entity: entity, operation };
  return {
    entity_id: row.id,
    ...unit,
    ...work,
    confidence,
    run_count: count,
    max_deviation_seconds: maxDeviationSeconds,
    reason,
    monitor: {
      name,
      slug: slugOf({ id: row.id, name }),
      ...unit,
      category: newest.category,
      ...work,
      schedule: "cron" in schedule ? { cron: schedule.cron, time_zone: schedule.time_zone ?? "UTC" } : schedule,
      grace_seconds: graceSeconds,
    },
  };
}

/** Gives a slug that a monitor or another suggestion has an ending that follows from the work, so that it stays the same. */
async function withFreeSlugs(db: Queries, found: readonly MonitorSuggestionV1[]): Promise<MonitorSuggestionV1[]> {
  const units = [...new Set(found.map((one) => one.organizational_unit_id))];
  const taken = new Set<string>();
  for (let from = 0; from < units.length; from += unitsPerStatement) {
    const some = units.slice(from, from + unitsPerStatement);
    const rows = await db
      .selectFrom("monitors")
      .select(["organizational_unit_id", "slug"])
      .where("organizational_unit_id", "in", some)
      .execute();
    for (const row of rows) taken.add(`${row.organizational_unit_id} ${row.slug}`);
  }
  return found.map((one) => {
    const { slug } = one.monitor;
    const place = (name: string) => `${one.organizational_unit_id} ${name}`;
    const ending = createHash("sha256")
      .update(JSON.stringify([one.entity_id, one.operation]))
      .digest("hex")
      .slice(0, 8);
    const free = taken.has(place(slug)) ? `${slug.slice(0, textLimits.slug - 9)}-${ending}` : slug;
    taken.add(place(free));
    return { ...one, monitor: { ...one.monitor, slug: free } };
  });
}
