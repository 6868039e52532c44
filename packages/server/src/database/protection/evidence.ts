import { type EntityState, entityStates, recentTasksShown } from "@holdfast/api/resources/entity-words";
import type { TaskCategory, TaskOutcome } from "@holdfast/api/resources/task-words";

/** A task that has ended, as far as it says something about what it protects. Times are milliseconds. */
export interface EndedTask {
  id: string;
  category: TaskCategory;
  outcome: TaskOutcome;
  createdAt: number;
  endedAt: number;
  /** The monitor that it is a run of. */
  monitorId: string | null;
}

/** What is known of an entity from its tasks. */
export interface EntityFacts {
  lastRun: EndedTask | null;
  lastGoodBackup: EndedTask | null;
  lastIncompleteBackup: EndedTask | null;
  lastRestore: EndedTask | null;
  /** The backup or snapshot that decides the state. */
  newestBackup: EndedTask | null;
  /** Oldest first. */
  recent: EndedTask[];
}

/** How many of the newest tasks of a kind are kept: as many may be revived before older ones have to be looked for. */
const depth = { ends: 8, backups: 8, restores: 4 } as const;

const isCancelled = ({ outcome }: EndedTask) => outcome === "cancelled";
const isBackup = (task: EndedTask) =>
  (task.category === "backup" || task.category === "snapshot") && !isCancelled(task);
const isRestore = (task: EndedTask) =>
  (task.category === "restore" || task.category === "snapshot_restore") && !isCancelled(task);
const isGood = (task: EndedTask) => isBackup(task) && task.outcome === "success";
const isIncomplete = (task: EndedTask) => isBackup(task) && task.outcome === "warning";

/** The facts of an entity, from its ended tasks or from those of them that were kept. */
export function factsOf(tasks: readonly EndedTask[]): EntityFacts {
  return {
    lastRun: newestOf(tasks),
    lastGoodBackup: newestOf(tasks.filter(isGood)),
    lastIncompleteBackup: newestOf(tasks.filter(isIncomplete)),
    lastRestore: newestOf(tasks.filter(isRestore)),
    newestBackup: newestOf(tasks.filter(isBackup)),
    recent: [...tasks].sort(byCreation).slice(-recentTasksShown),
  };
}

/** How an entity stands. */
export function stateOf(facts: EntityFacts, isExpected: boolean): EntityState {
  if (!facts.newestBackup || !(facts.lastGoodBackup || facts.lastIncompleteBackup)) return "never";
  switch (facts.newestBackup.outcome) {
    case "success":
      return isExpected ? "good" : "unwatched";
    case "warning":
      return "incomplete";
    case "missed":
    case "expired":
      return "missed";
    default:
      return "failing";
  }
}

/** The place of a state when entities are sorted by it. */
export function rankOf(state: EntityState): number {
  return entityStates.indexOf(state);
}

/** Leaves out what no fact comes from, and what no fact would come from if some tasks were revived. */
export function keepEvidence(tasks: readonly EndedTask[]): EndedTask[] {
  const inOrder = [...tasks].sort(byCreation);
  if (inOrder.length <= recentTasksShown) return inOrder;
  const byEnds = [...tasks].sort(byEnd);
  const kept = new Set([
    ...inOrder.slice(-recentTasksShown),
    ...byEnds.slice(-depth.ends),
    ...byEnds.filter(isBackup).slice(-depth.backups),
    ...byEnds.filter(isRestore).slice(-depth.restores),
    ...byEnds.filter(isGood).slice(-1),
    ...byEnds.filter(isIncomplete).slice(-1),
  ]);
  return inOrder.filter((task) => kept.has(task));
}

/** Puts tasks together, each once; what is said later of a task holds. */
export function joinEvidence(...parts: (readonly EndedTask[])[]): EndedTask[] {
  return [...new Map(parts.flat().map((task) => [task.id, task])).values()];
}

type Written = [id: string, category: TaskCategory, outcome: TaskOutcome, created: number, ended: number, by?: string];

/** Evidence as it is stored. */
export function writeEvidence(tasks: readonly EndedTask[]): string {
  return JSON.stringify(
    tasks.map(
      ({ id, category, outcome, createdAt, endedAt, monitorId }): Written =>
        monitorId === null
          ? [id, category, outcome, createdAt, endedAt]
          : [id, category, outcome, createdAt, endedAt, monitorId],
    ),
  );
}

export function readEvidence(text: string): EndedTask[] {
  const written: Written[] = JSON.parse(text);
  return written.map(([id, category, outcome, createdAt, endedAt, monitorId = null]) => ({
    id,
    category,
    outcome,
    createdAt,
    endedAt,
    monitorId,
  }));
}

function newestOf(tasks: readonly EndedTask[]): EndedTask | null {
  return tasks.reduce<EndedTask | null>(
    (newest, task) => (newest === null || byEnd(task, newest) > 0 ? task : newest),
    null,
  );
}

function byEnd(one: EndedTask, other: EndedTask): number {
  return one.endedAt - other.endedAt || byId(one, other);
}

function byCreation(one: EndedTask, other: EndedTask): number {
  return one.createdAt - other.createdAt || byId(one, other);
}

function byId({ id: one }: EndedTask, { id: other }: EndedTask): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
