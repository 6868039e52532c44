import type { Filter } from "@holdfast/api/conventions/filter";
import type { TaskFilterField } from "@holdfast/api/resources/tasks";
import { type Expression, type SqlBool, sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Queries } from "../../../database/database";
import { allOf, never } from "../../../lists/comparisons";
import type { ListScope } from "../../../lists/list-source";
import {
  createdWithin,
  isCounted,
  type TaskCondition,
  taskCondition,
  unitConditions,
  unitConditionsOfCounts,
} from "./conditions";
import { hasEntity, isOfEntity } from "./entity-condition";
import type { TimeRange } from "./time-range";

/** The tasks that a list is about: how they are recognised, counted and found. */
export interface Matching {
  /** Unit and filter, without the time of creation. */
  condition: Expression<SqlBool>;
  /** The time in which they were created. */
  created: TimeRange;
  /** The table that has their numbers by time; `tasks` if they have to be counted themselves. */
  countedIn: "task_days" | "entity_weeks" | "tasks";
  /** The condition for that table. */
  countCondition: Expression<SqlBool>;
  accessPath: AccessPath;
}

/** The index that leads to the tasks. */
export interface AccessPath {
  index: TaskIndex;
  /** The number of tasks that it leaves to look through; infinite if these are not few. */
  size: number;
  /** True if it has the matching tasks in the order of the list. */
  isOrdered: boolean;
}

export type TaskIndex = "tasks_in_order" | `tasks_by_${string}` | "sqlite_autoindex_tasks_1";

/** The sizes of what one statement reads. */
export interface StatementSizes {
  /** The number of tasks that are looked through at once, whatever else is asked of them. */
  few: number;
  /** The number of tasks in a part of a time that is split. */
  tasksPerStep: number;
}

export const defaultSizes: StatementSizes = { few: 20_000, tasksPerStep: 5_000 };

/** A condition that an index can follow. */
interface Candidate {
  index: TaskIndex;
  condition: Expression<SqlBool>;
  /** The table that knows the number of its tasks. */
  countedIn: "task_totals" | "entity_weeks" | "tasks";
  /** True if it is about one value, whose tasks the index has in the order of the list. */
  isOneValue: boolean;
  /** True if the index has the tasks of each value in the order of their creation, so that it can be read in parts of a time. */
  hasTime: boolean;
}

/** Chooses how the tasks of a list are counted and found. */
export async function matchTasks(
  db: Queries,
  scope: ListScope,
  filter: Filter<TaskFilterField>,
  sizes: StatementSizes,
): Promise<Matching> {
  const created = createdWithin(filter);
  const ofEntity = filter.filter(({ field }) => isOfEntity(field));
  const others = filter.filter(({ field }) => !isOfEntity(field) && field !== "created_timestamp");
  const candidates = [...unitCandidates(scope, others), ...entityCandidates(db, ofEntity), ...otherCandidates(others)];
  const written = others.map(taskCondition);
  if (written.includes(never) || candidates.some(({ condition }) => condition === never)) {
    const accessPath: AccessPath = { index: "tasks_in_order", size: 0, isOrdered: true };
    return { condition: never, created, countedIn: "tasks", countCondition: never, accessPath };
  }
  const accessPath = await chooseAccessPath(db, candidates, sizes);
  const ofEntities = (byIndex: boolean) => hasEntity(db, ofEntity, { byIndex });
  return {
    condition: allOf([...unitConditions(scope), ...ofEntities(accessPath.index === entityIndex), ...written]),
    created,
    countedIn: chooseCounts(ofEntity, others),
    countCondition: allOf([...unitConditionsOfCounts(db, scope), ...ofEntities(false), ...written]),
    accessPath,
  };
}

function chooseCounts(ofEntity: readonly TaskCondition[], others: readonly TaskCondition[]): Matching["countedIn"] {
  if (ofEntity.length === 0) return others.every(isCounted) ? "task_days" : "tasks";
  return others.every(({ field }) => field === "organizational_unit_id") ? "entity_weeks" : "tasks";
}

/** The units of the scope, unless the filter names some: these lead to fewer tasks. */
function unitCandidates(scope: ListScope, others: readonly TaskCondition[]): Candidate[] {
  if (others.some(({ field }) => field === "organizational_unit_id")) return [];
  const index = "tasks_by_organizational_unit_id";
  return unitConditions(scope).map((condition) => ({
    index,
    condition,
    countedIn: "task_totals",
    isOneValue: false,
    hasTime: true,
  }));
}

const entityIndex = "tasks_by_entity_key";

/**
 * Entities lead to their tasks if these are few. To read many entities in order, each would have to be sorted into the others, so
 * then the tasks are read in list order, through an index that also has their entities.
 */
function entityCandidates(db: Queries, ofEntity: readonly TaskCondition[]): Candidate[] {
  return hasEntity(db, ofEntity, { byIndex: false }).map((condition) => ({
    index: entityIndex,
    condition,
    countedIn: "entity_weeks",
    isOneValue: false,
    hasTime: false,
  }));
}

function otherCandidates(others: readonly TaskCondition[]): Candidate[] {
  return [...Map.groupBy(others, ({ field }) => field)].flatMap(([field, group]): Candidate[] => {
    const condition = allOf(group.map(taskCondition));
    const indexed = { condition, countedIn: "tasks", isOneValue: isOneValue(group), hasTime: true } as const;
    switch (field) {
      case "id":
        return isExclusion(group) ? [] : [{ ...indexed, index: "sqlite_autoindex_tasks_1", hasTime: false }];
      case "error.code":
        return isExclusion(group) ? [] : [{ ...indexed, index: "tasks_by_error_code" }];
      case "operation":
      case "monitor_id":
        return [{ ...indexed, index: `tasks_by_${field}` }];
      case "start_timestamp":
        return [{ ...indexed, index: "tasks_by_started_at", hasTime: false }];
      case "end_timestamp":
        return [{ ...indexed, index: "tasks_by_ended_at", hasTime: false }];
      default:
        return [{ ...indexed, index: `tasks_by_${field}`, countedIn: "task_totals" }];
    }
  });
}

/** True if conditions leave out values, which no index helps with. */
function isExclusion(group: readonly TaskCondition[]): boolean {
  return group.every(({ operator }) => operator === "$neq");
}

function isOneValue(group: readonly TaskCondition[]): boolean {
  const [condition, ...others] = group;
  if (!condition || others.length > 0) return false;
  return condition.operator === "$eq" || (condition.operator === "$in" && condition.value.length === 1);
}

/** Chooses the index that leaves the fewest tasks. They are counted: estimates can turn one page into a scan of all tasks. */
async function chooseAccessPath(
  db: Queries,
  candidates: readonly Candidate[],
  { few }: StatementSizes,
): Promise<AccessPath> {
  const [first, ...others] = candidates;
  if (!first) return { index: "tasks_in_order", size: Number.POSITIVE_INFINITY, isOrdered: true };
  let accessPath: AccessPath = { index: "tasks_in_order", size: Number.POSITIVE_INFINITY, isOrdered: false };
  let smallest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const { index, hasTime } = candidate;
    const size = await countCandidate(db, candidate, few);
    if (size >= smallest || (size > few && !hasTime)) continue;
    smallest = size;
    const isOrdered = others.length === 0 && candidate.isOneValue && hasTime;
    accessPath = { index, size: size <= few ? size : Number.POSITIVE_INFINITY, isOrdered };
  }
  return accessPath;
}

/** The number of tasks of a candidate in all units; if it has to be counted, up to one more than few. */
async function countCandidate(db: Queries, { index, condition, countedIn }: Candidate, few: number): Promise<number> {
  const counted =
    countedIn === "tasks"
      ? sql<{ size: number }>`
          select count(*) as size
          from (select 1 from tasks ${pinIndex(db, index)} where ${condition} limit ${few + 1}) as found`
      : sql<{ size: number | null }>`select sum(count) as size from ${sql.table(countedIn)} where ${condition}`;
  const { rows } = await counted.execute(db);
  return rows[0]?.size ?? 0;
}

/** Names the index that SQLite has to use, so that neither a parameter nor a statistic makes it choose another one. */
export function pinIndex(db: Queries, name: TaskIndex) {
  return isPostgres(db) ? sql`` : sql`indexed by ${sql.id(name)}`;
}
