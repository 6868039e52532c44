import { recentTasksShown } from "@holdfast/api/resources/entity-words";
import type { TaskCategory, TaskOutcome } from "@holdfast/api/resources/task-words";

/** A task that has ended, as far as it says something about what it protects. Times are milliseconds. */
export interface EndedTask {
  id: string;
  category: TaskCategory;
  type: string;
  /** The recurring piece of work that it is a run of. */
  operation: string;
  outcome: TaskOutcome;
  createdAt: number;
  /** Time at which it began, or was created if it never began. */
  startedAt: number;
  endedAt: number;
  /** The monitor that it is a run of. */
  monitorId: string | null;
}

/** Evidence from the backups and snapshots among some tasks. */
export interface BackupFacts {
  lastRun: EndedTask | null;
  lastGoodBackup: EndedTask | null;
  lastIncompleteBackup: EndedTask | null;
  /** The backup or snapshot that decides the state. */
  newestBackup: EndedTask | null;
  /** Oldest first. */
  recent: EndedTask[];
}

/** Number of the newest tasks of a kind that are kept: as many may be revived before older ones have to be looked for. */
const depth = { ends: 8, backups: 8, restores: 4 } as const;

const isCancelled = ({ outcome }: EndedTask) => outcome === "cancelled";
const isRestore = (task: EndedTask) =>
  (task.category === "restore" || task.category === "snapshot_restore") && !isCancelled(task);
const isGood = ({ outcome }: EndedTask) => outcome === "success";
const isIncomplete = ({ outcome }: EndedTask) => outcome === "warning";

/** Returns true if tasks of a category are backups: only these form operations and decide the state of an entity. */
export function isBackup({ category }: Pick<EndedTask, "category">): boolean {
  return category === "backup" || category === "snapshot";
}

/** The facts that come from tasks, or from those of them that were kept. */
export function backupFactsOf(tasks: readonly EndedTask[]): BackupFacts {
  const backups = tasks.filter(isBackup);
  return {
    lastRun: newestOf(backups),
    lastGoodBackup: newestOf(backups.filter(isGood)),
    lastIncompleteBackup: newestOf(backups.filter(isIncomplete)),
    newestBackup: newestOf(backups.filter((task) => !isCancelled(task))),
    recent: backups.sort(byCreation).slice(-recentTasksShown),
  };
}

/** The restore that ended last. */
export function lastRestoreOf(tasks: readonly EndedTask[]): EndedTask | null {
  return newestOf(tasks.filter(isRestore));
}

/** Leaves out what no fact comes from, and what no fact would come from if some tasks were revived. */
export function keepEvidence(tasks: readonly EndedTask[]): EndedTask[] {
  const byEnds = [...tasks].sort(byEnd);
  const kept = new Set([...byEnds.slice(-1), ...byEnds.filter(isRestore).slice(-depth.restores)]);
  for (const runs of Map.groupBy(byEnds.filter(isBackup), ({ operation }) => operation).values()) {
    for (const task of keepRuns(runs)) kept.add(task);
  }
  return [...kept].sort(byCreation);
}

/** Keeps the newest runs of one operation, which are in the order of their ends. */
function keepRuns(runs: readonly EndedTask[]): EndedTask[] {
  if (runs.length <= recentTasksShown) return [...runs];
  return [
    ...[...runs].sort(byCreation).slice(-recentTasksShown),
    ...runs.slice(-depth.ends),
    ...runs.filter((task) => !isCancelled(task)).slice(-depth.backups),
    ...runs.filter(isGood).slice(-1),
    ...runs.filter(isIncomplete).slice(-1),
  ];
}

/** Puts tasks together, each once; what is said later of a task holds. */
export function joinEvidence(...parts: (readonly EndedTask[])[]): EndedTask[] {
  return [...new Map(parts.flat().map((task) => [task.id, task])).values()];
}

/** A task as it is stored: texts that many tasks share stand in a list, and times are counted from the creation. */
type Written = [
  id: string,
  category: TaskCategory,
  outcome: TaskOutcome,
  created: number,
  started: number,
  ended: number,
  type: number,
  operation: number,
  monitor: number,
];

interface WrittenEvidence {
  texts: string[];
  tasks: Written[];
}

/** Evidence as it is stored. */
export function writeEvidence(tasks: readonly EndedTask[]): string {
  const texts = new Map<string, number>();
  const placeOf = (text: string) => {
    const place = texts.get(text) ?? texts.size;
    texts.set(text, place);
    return place;
  };
  const written = tasks.map((task): Written => {
    const { id, category, outcome, createdAt, startedAt, endedAt, type, operation, monitorId } = task;
    const monitor = monitorId === null ? -1 : placeOf(monitorId);
    const times = [createdAt, startedAt - createdAt, endedAt - createdAt] as const;
    return [id, category, outcome, ...times, placeOf(type), placeOf(operation), monitor];
  });
  return JSON.stringify({ texts: [...texts.keys()], tasks: written } satisfies WrittenEvidence);
}

export function readEvidence(text: string): EndedTask[] {
  const { texts, tasks }: WrittenEvidence = JSON.parse(text);
  return tasks.map(([id, category, outcome, createdAt, started, ended, type, operation, monitor]) => ({
    id,
    category,
    type: texts[type] ?? "",
    operation: texts[operation] ?? "",
    outcome,
    createdAt,
    startedAt: createdAt + started,
    endedAt: createdAt + ended,
    monitorId: texts[monitor] ?? null,
  }));
}

function newestOf(tasks: readonly EndedTask[]): EndedTask | null {
  return tasks.reduce<EndedTask | null>(
    (newest, task) => (newest === null || byEnd(task, newest) > 0 ? task : newest),
    null,
  );
}

/** Orders tasks by when they ended. */
export function byEnd(one: EndedTask, other: EndedTask): number {
  return one.endedAt - other.endedAt || byId(one, other);
}

function byCreation(one: EndedTask, other: EndedTask): number {
  return one.createdAt - other.createdAt || byId(one, other);
}

function byId({ id: one }: EndedTask, { id: other }: EndedTask): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
