import { type EntityState, entityStates, operationsKept } from "@holdfast/api/resources/entity-words";
import { type BackupFacts, backupFactsOf, byEnd, type EndedTask, isBackup } from "./evidence";

/** Facts about an operation of an entity other than its runs. */
export interface OperationMarks {
  operation: string;
  isRetired: boolean;
  /** The monitors that watch it, paused ones included. */
  monitorIds: string[];
  /** True if one of them expects runs. */
  isExpected: boolean;
}

/** An operation of an entity: a recurring piece of work, and how it stands. */
export interface Operation extends OperationMarks, BackupFacts {
  type: string;
  state: EntityState;
  /** Its runs that are kept. */
  runs: EndedTask[];
}

/** The operations of an entity, from its ended tasks or those that were kept: those that need attention first, retired ones last. */
export function operationsOf(
  tasks: readonly EndedTask[],
  marks: readonly OperationMarks[],
  staleBefore: number,
): Operation[] {
  const byName = new Map(marks.map((mark) => [mark.operation, mark]));
  const groups = Map.groupBy(tasks.filter(isBackup), ({ operation }) => operation);
  const found = [...groups].map(([operation, runs]): Operation => {
    const mark = byName.get(operation) ?? { operation, isRetired: false, monitorIds: [], isExpected: false };
    const facts = backupFactsOf(runs);
    const type = facts.lastRun?.type ?? operation;
    return { ...mark, ...facts, type, state: stateOf(facts, mark.isExpected, staleBefore), runs };
  });
  return keepOperations(found).sort(inOrder);
}

/**
 * Forgets operations that are too many: retired ones first, then those that stand best, of these the one whose last run is the
 * oldest. So nothing that needs attention makes room for what needs none.
 */
function keepOperations(operations: Operation[]): Operation[] {
  if (operations.length <= operationsKept) return operations;
  const lastEnd = ({ lastRun }: Operation) => lastRun?.endedAt ?? 0;
  const byImportance = (one: Operation, other: Operation) =>
    Number(one.isRetired) - Number(other.isRetired) ||
    (one.isRetired ? 0 : rankOf(one.state) - rankOf(other.state)) ||
    lastEnd(other) - lastEnd(one) ||
    byName(one, other);
  return operations.sort(byImportance).slice(0, operationsKept);
}

function inOrder(one: Operation, other: Operation): number {
  return (
    Number(one.isRetired) - Number(other.isRetired) || rankOf(one.state) - rankOf(other.state) || byName(one, other)
  );
}

function byName({ operation: one }: Operation, { operation: other }: Operation): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Returns the state of an operation. It is stale if nothing watches it and its last good backup ended before a moment. */
function stateOf(facts: BackupFacts, isExpected: boolean, staleBefore: number): EntityState {
  const { newestBackup, lastGoodBackup, lastIncompleteBackup } = facts;
  if (!newestBackup || !(lastGoodBackup || lastIncompleteBackup)) return "never";
  const isStale = !isExpected && lastGoodBackup !== null && lastGoodBackup.endedAt < staleBefore;
  switch (newestBackup.outcome) {
    case "success":
      return isStale ? "stale" : isExpected ? "good" : "unwatched";
    case "warning":
      return isStale ? "stale" : "incomplete";
    case "missed":
    case "expired":
      return "missed";
    default:
      return "failing";
  }
}

/**
 * Returns the state of an entity: that of the worst of its operations that are not retired, or of all of them if there are no others. One of which
 * all runs were cancelled says nothing.
 */
export function stateOfEntity(operations: readonly Operation[]): EntityState {
  const telling = operations.filter(({ newestBackup }) => newestBackup !== null);
  const active = telling.filter(({ isRetired }) => !isRetired);
  const hasBackup = telling.some(({ state }) => state !== "never");
  // An operation that never worked is a failure if another one has a good backup.
  const ranks = (active.length > 0 ? active : telling).map(({ state }) =>
    rankOf(state === "never" && hasBackup ? "failing" : state),
  );
  return entityStates[Math.min(...ranks)] ?? "never";
}

/** Returns true if all operations of an entity are retired: then the entity is retired, too. */
export function areAllRetired(operations: readonly OperationMarks[]): boolean {
  return operations.length > 0 && operations.every(({ isRetired }) => isRetired);
}

/** Since when the operation is silent that turns stale next; null if none can. */
export function silentSince(operations: readonly Operation[]): number | null {
  const ends = operations
    .filter(({ state, isRetired, isExpected }) => !isRetired && !isExpected && canTurnStale(state))
    .flatMap(({ lastGoodBackup }) => lastGoodBackup?.endedAt ?? []);
  return ends.length > 0 ? Math.min(...ends) : null;
}

function canTurnStale(state: EntityState): boolean {
  return state === "unwatched" || state === "incomplete";
}

/** Maps each monitor to the operation of its newest run: the only one of the entity that its next run can belong to. */
export function operationsFedBy(operations: readonly Operation[]): Map<string, string> {
  const runs = operations.flatMap(({ operation, newestBackup }) =>
    newestBackup?.monitorId ? [{ operation, newestBackup, monitorId: newestBackup.monitorId }] : [],
  );
  runs.sort((one, other) => byEnd(one.newestBackup, other.newestBackup));
  return new Map(runs.map(({ monitorId, operation }) => [monitorId, operation]));
}

/** The place of a state when entities are sorted by it. */
export function rankOf(state: EntityState): number {
  return entityStates.indexOf(state);
}

type WrittenMarks = [operation: string, isRetired: 0 | 1, isExpected: 0 | 1, monitorIds: string[]];

/** The marks of operations as they are stored. */
export function writeMarks(operations: readonly OperationMarks[]): string {
  return JSON.stringify(
    operations
      .map(
        ({ operation, isRetired, isExpected, monitorIds }): WrittenMarks => [
          operation,
          isRetired ? 1 : 0,
          isExpected ? 1 : 0,
          monitorIds,
        ],
      )
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

export function readMarks(text: string): OperationMarks[] {
  const written: WrittenMarks[] = JSON.parse(text);
  return written.map(([operation, isRetired, isExpected, monitorIds]) => ({
    operation,
    isRetired: isRetired === 1,
    isExpected: isExpected === 1,
    monitorIds,
  }));
}
