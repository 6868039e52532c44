import type { TaskRecord } from "@holdfast/server/resources/tasks/record";

/** Tasks that other made-up things are made of. */
export interface NotedTasks {
  /** The newest runs of each monitor, oldest first. */
  runs: Map<string, TaskRecord[]>;
  reports: TaskRecord[];
  expired: TaskRecord[];
  /** The failures of the one thing that has never been backed up. */
  failures: TaskRecord[];
}

/** Number of runs that a monitor shows of its past. */
const runsKept = 30;
const othersKept = 12;
/** Longer ago than that, deliveries are no longer kept. */
const reach = 25 * 86_400_000;

/** Passes tasks on, and notes those that others are made of. There are never many of them. */
export function* noteTasks(
  tasks: Iterable<TaskRecord>,
  noted: NotedTasks,
  { troubledId, until }: { troubledId: string | undefined; until: number },
): Generator<TaskRecord> {
  for (const task of tasks) {
    const { monitor_id, outcome } = task;
    if (monitor_id !== undefined) {
      const runs = noted.runs.get(monitor_id) ?? [];
      keep(runs, task, runsKept);
      noted.runs.set(monitor_id, runs);
    }
    const isRecent = outcome !== null && Date.parse(task.created_timestamp) > until - reach;
    if (isRecent) {
      if (task.category === "report_generation") keep(noted.reports, task, othersKept);
      else if (outcome === "expired") keep(noted.expired, task, othersKept);
      else if (task.primary_entity?.id === troubledId) keep(noted.failures, task, othersKept);
    }
    yield task;
  }
}

function keep(tasks: TaskRecord[], task: TaskRecord, max: number): void {
  tasks.push(task);
  if (tasks.length > max) tasks.shift();
}
