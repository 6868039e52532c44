import type { Filter } from "@holdfast/api/conventions/filter";
import type { TaskFilterField } from "@holdfast/api/resources/tasks";
import { type Expression, type SqlBool, sql } from "kysely";
import { allOf, compareExactly, never } from "../../../lists/comparisons";
import type { ListScope, Snapshot } from "../../../lists/list-source";
import { type TaskCondition, taskCondition, unitConditions, valuesNamed, wordsNamed } from "./conditions";
import type { EntityNames } from "./entity-names";
import { entityCondition, findEntities, type MatchedEntities } from "./matched-entities";
import { pinIndex, type StatementSizes } from "./slices";

/** How the tasks that a filter matches are found: through which index, and how. */
export interface QueryPlan {
  index: string;
  /**
   * `exact`: the index has the matching tasks and no others, in list order. `few`: all that the index leaves can be looked
   * through at once. `many`: they are looked through in slices of time.
   */
  kind: "exact" | "few" | "many";
  /** What a task has to fulfil: scope and filter. */
  condition: Expression<SqlBool>;
  /** Where that is one of several values, and the index has the tasks of each value in list order: a condition for each. */
  values?: readonly Expression<SqlBool>[] | undefined;
  /** The same, also for one value, where these are words of ours: written out, so that a plan which PostgreSQL keeps fits them. */
  words?: readonly Expression<SqlBool>[] | undefined;
  /** Whether the index leaves no tasks but those that match. */
  hasNoOthers?: boolean;
  /** Whether all that it asks for is to be of entities that it names. */
  namesEntitiesOnly?: boolean;
  /** The keys of the entities that it names, as JSON; entities that come later may have to be named as well. */
  entities: string;
  /** When it was made, on the monotonic clock. */
  plannedAt: number;
  sizes: StatementSizes;
}

/** What the conditions on one field ask for, and the index that finds it. */
interface Clause {
  condition: Expression<SqlBool>;
  /** None where any index can check the conditions. */
  lead?: Lead;
}

/** What is known of entities without asking the database. */
export interface KnownEntities {
  names(): Promise<EntityNames | null>;
  /** How many tasks these have in all units; undefined where that has to be counted. */
  countTasks(keys: readonly number[]): Promise<number | undefined>;
}

interface Lead {
  index: string;
  /** How many tasks it leaves, where that is known. */
  size?: number | undefined;
  /** Whether task_totals knows how many tasks these are; otherwise that is tried. */
  isCounted: boolean;
  /** Whether the index has exactly these tasks, in list order. */
  isOrdered: boolean;
  /** Whether it has those of each of several values in list order: a condition for each. */
  values?: readonly Expression<SqlBool>[] | undefined;
  /** The same with words of ours; see the plan. */
  words?: readonly Expression<SqlBool>[] | undefined;
  /** Whether it can be cut into slices of time. */
  hasTime: boolean;
}

/** So many values are looked up one by one at most. */
const mostValues = 10;
/** After so many milliseconds it is counted again how many tasks an index leaves: they may be few or many no more. */
const countsHold = 60_000;

type LeadingClause = Lead & Pick<Clause, "condition">;

/**
 * Chooses the index by how many tasks it leaves to look through, which is counted, not estimated: the estimates of a
 * database can turn one page into a scan of all tasks.
 */
export async function planQuery(
  snapshot: Snapshot,
  scope: ListScope,
  filter: Filter<TaskFilterField>,
  sizes: StatementSizes,
  known?: KnownEntities,
): Promise<QueryPlan> {
  const matched = await matchEntities(snapshot, filter, known);
  const made = { entities: namedKeys(matched), plannedAt: performance.now(), sizes };
  // Units that are named lead closer to the tasks than the whole of the scope, which is then only checked.
  const namesUnits = filter.some(({ field }) => field === "organizational_unit_id");
  const clauses: Clause[] = unitConditions(scope).map((condition) =>
    namesUnits ? { condition } : { condition, lead: countedLead("organizational_unit_id") },
  );
  for (const [field, group] of Map.groupBy(filter, (one) => one.field)) {
    clauses.push(await clauseOf(snapshot, field, group, matched, known));
  }
  if (clauses.some(({ condition }) => condition === never)) {
    return { index: "tasks_in_order", kind: "few", condition: never, ...made };
  }
  const condition = allOf(clauses.map((clause) => clause.condition));
  const leads = clauses.flatMap(({ condition, lead }) => (lead ? { ...lead, condition } : []));
  const [only, ...others] = leads;
  if (!only) return { index: "tasks_in_order", kind: "exact", condition, ...made };
  if ((only.isOrdered || only.values) && others.length === 0) {
    // Each value is looked for with everything else that a task has to fulfil.
    const rest = clauses.flatMap((clause) => (clause.lead ? [] : clause.condition));
    const values = only.values?.map((value) => allOf([value, ...rest]));
    const hasNoOthers = rest.length === 0;
    const words = hasNoOthers ? only.words : undefined;
    return { index: only.index, kind: "exact", condition, values, words, hasNoOthers, ...made };
  }
  const namesEntitiesOnly = clauses.length === 1 && only.index === "tasks_by_entity_key";
  const measured = await measure(snapshot, leads, sizes.few);
  const [smallest] = measured;
  const isFew = smallest && smallest.size <= sizes.few;
  const index = isFew ? smallest.index : (measured.find(({ hasTime }) => hasTime)?.index ?? "tasks_in_order");
  return { index, kind: isFew ? "few" : "many", condition, namesEntitiesOnly, ...made };
}

/** Whether it was counted so long ago how many tasks the index leaves that it is counted again. */
export function isToBeCounted({ kind, plannedAt }: QueryPlan): boolean {
  return kind !== "exact" && performance.now() > plannedAt + countsHold;
}

/** Whether a plan names the entities that it would name now. Then its statements need not be written again. */
export async function hasSameEntities(
  snapshot: Snapshot,
  filter: Filter<TaskFilterField>,
  plan: QueryPlan,
  known: KnownEntities,
): Promise<boolean> {
  return namedKeys(await matchEntities(snapshot, filter, known)) === plan.entities;
}

/** A condition on entities, and those that it matches. */
interface Matched {
  condition: TaskCondition;
  keys: MatchedEntities;
}

async function matchEntities(
  snapshot: Snapshot,
  filter: Filter<TaskFilterField>,
  known: KnownEntities | undefined,
): Promise<Matched[]> {
  const conditions = filter.filter(({ field }) => asksForEntity(field));
  const names = conditions.length > 0 ? ((await known?.names()) ?? null) : null;
  const matched: Matched[] = [];
  for (const condition of conditions) {
    const keys = await findEntities(snapshot, condition, names);
    matched.push({ condition, keys: keys?.toSorted((one, other) => one - other) });
  }
  return matched;
}

function namedKeys(matched: readonly Matched[]): string {
  return JSON.stringify(matched.map(({ keys }) => keys ?? null));
}

function asksForEntity(field: TaskFilterField): boolean {
  return field === "primary_entity.id" || field === "primary_entity.value";
}

async function clauseOf(
  snapshot: Snapshot,
  field: TaskFilterField,
  group: readonly TaskCondition[],
  matched: readonly Matched[],
  known: KnownEntities | undefined,
): Promise<Clause> {
  if (asksForEntity(field)) {
    const ofField = matched.filter(({ condition }) => condition.field === field);
    return entityClause(snapshot, ofField, known);
  }
  const condition = everyOf(group.map(taskCondition));
  switch (field) {
    case "created_timestamp":
      return { condition };
    case "id":
      if (group.every(({ operator }) => operator === "$neq")) return { condition };
      return { condition, lead: { ...triedLead("id"), index: "sqlite_autoindex_tasks_1" } };
    case "error.code":
      if (group.every(({ operator }) => operator === "$neq")) return { condition };
      return { condition, lead: { ...triedLead("error_code"), isOrdered: namesOneValue(group), hasTime: true } };
    case "operation":
    case "monitor_id":
      return { condition, lead: { ...triedLead(field), isOrdered: namesOneValue(group), hasTime: true } };
    case "start_timestamp":
      return { condition, lead: triedLead("started_at") };
    case "end_timestamp":
      return { condition, lead: triedLead("ended_at") };
    default:
      return {
        condition,
        lead: {
          ...countedLead(field),
          isOrdered: namesOneValue(group),
          values: eachValue(group),
          words: eachWord(group),
        },
      };
  }
}

async function entityClause(
  snapshot: Snapshot,
  matched: readonly Matched[],
  known: KnownEntities | undefined,
): Promise<Clause> {
  const condition = everyOf(matched.map((one) => entityCondition(snapshot.db, one.condition, one.keys)));
  const named = matched.flatMap(({ keys }) => (keys === undefined ? [] : [keys]));
  const [keys] = named;
  if (!keys) return { condition, lead: allTasks };
  const size = matched.length === 1 ? await known?.countTasks(keys) : undefined;
  return { condition, lead: { ...triedLead("entity_key"), hasTime: true, size } };
}

/** All conditions on a field, or that nothing can fulfil them. */
function everyOf(conditions: Expression<SqlBool>[]): Expression<SqlBool> {
  return conditions.includes(never) ? never : allOf(conditions);
}

/** For conditions that need a scan of all tasks. */
const allTasks: Lead = { ...triedLead("nothing"), index: "tasks_in_order", hasTime: true };

function countedLead(column: string): Lead {
  return { index: `tasks_by_${column}`, isCounted: true, isOrdered: false, hasTime: true };
}

function triedLead(column: string): Lead {
  return { index: `tasks_by_${column}`, isCounted: false, isOrdered: false, hasTime: false };
}

function namesOneValue(group: readonly TaskCondition[]): boolean {
  const isOneValue = ({ operator, value }: TaskCondition) =>
    operator === "$eq" || (operator === "$in" && Array.isArray(value) && value.length === 1);
  return group.length === 1 && group.every(isOneValue);
}

/** A condition for each of a few values that a group of conditions names; undefined where it names one, or too many. */
function eachValue([condition, ...others]: readonly TaskCondition[]): readonly Expression<SqlBool>[] | undefined {
  const named = condition && others.length === 0 ? [...new Set(valuesNamed(condition))] : [];
  if (!condition || named.length < 2 || named.length > mostValues) return undefined;
  return named.map((value) => compareExactly(condition.field, { field: condition.field, operator: "$eq", value }));
}

/** The same for words that a field can have, one or several. They are taken from our own list, never from a request. */
function eachWord([condition, ...others]: readonly TaskCondition[]): readonly Expression<SqlBool>[] | undefined {
  if (!condition || others.length > 0) return undefined;
  const words = wordsNamed(condition);
  if (words.length === 0 || words.length > mostValues) return undefined;
  return words.map((word) => sql<SqlBool>`${sql.ref(condition.field)} = ${sql.lit(word)}`);
}

/** How many tasks each index leaves, the smallest number first; those that leave very many come last. */
async function measure(
  snapshot: Snapshot,
  leads: readonly LeadingClause[],
  few: number,
): Promise<(Lead & { size: number })[]> {
  const totals = await sumTotals(
    snapshot,
    leads.filter(({ isCounted }) => isCounted),
  );
  const measured = [];
  for (const lead of leads) {
    measured.push({ ...lead, size: totals.get(lead) ?? lead.size ?? (await tryOut(snapshot, lead, few)) });
  }
  return measured.sort((one, other) => one.size - other.size);
}

async function sumTotals({ db }: Snapshot, leads: readonly LeadingClause[]): Promise<Map<LeadingClause, number>> {
  if (leads.length === 0) return new Map();
  const sums = leads.map(
    ({ condition }, index) => sql`sum(case when ${condition} then count else 0 end) as ${sql.id(`size_${index}`)}`,
  );
  const { rows } = await sql<Record<string, number | null>>`select ${sql.join(sums)} from task_totals`.execute(db);
  return new Map(leads.map((lead, index) => [lead, rows[0]?.[`size_${index}`] ?? 0]));
}

/** How many tasks an index leaves, as far as they are few. */
async function tryOut({ db }: Snapshot, { index, condition }: LeadingClause, few: number): Promise<number> {
  if (index === allTasks.index) return Number.POSITIVE_INFINITY;
  const { rows } = await sql<{ size: number }>`
    select count(*) as size
    from (select 1 from tasks ${pinIndex(db, index)} where ${condition} limit ${few + 1}) as found`.execute(db);
  return rows[0]?.size ?? 0;
}
