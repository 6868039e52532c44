import type { CountGroup, CountInterval } from "@holdfast/api/resources/task-counts";
import { type Calls, call, readItem, sendReport } from "../calls";
import type { BodyOf, FilterOf, ItemOf } from "../declared";
import { type ListOptions, listItems } from "../list-items";
import type { Listing } from "../listing";
import type { CallOptions } from "../transport";
import { randomUuid } from "../uuid";
import { type WatchEvent, type WatchOptions, watchItems } from "../watch-items";

type Body<Id extends "create-task" | "update-task" | "append-task-log" | "report-tasks"> = BodyOf<"tasks", Id>;
type Filter = FilterOf<"tasks", "list-tasks">;

/**
 * A task, as lists and streams have it.
 * @example
 * import { type Task } from "@holdfast/client";
 *
 * const describe = (task: Task) => `${task.type}: ${task.outcome ?? task.status}`;
 * for (const task of await holdfast.tasks.list().first(3)) console.log(describe(task));
 */
export type Task = ItemOf<"tasks", "read-task">;

/**
 * A task as its runner gets it, with its lease.
 * @example
 * import { type CreatedTask } from "@holdfast/client";
 *
 * const task: CreatedTask = await holdfast.tasks.create({ category: "system", type: "disk_check" });
 * console.log(task.lease?.next_report_seconds);
 */
export type CreatedTask = ItemOf<"tasks", "create-task">;

/**
 * How many tasks there were in a stretch of time, of one kind.
 * @example
 * import { type TaskCount } from "@holdfast/client";
 *
 * const days: TaskCount[] = await holdfast.tasks.counts().first(7);
 * console.log(days.map(({ count }) => count));
 */
export type TaskCount = ItemOf<"tasks", "list-task-counts">;

/**
 * By what tasks are counted.
 * @example
 * import { type CountOptions } from "@holdfast/client";
 *
 * const options: CountOptions = { interval: "hour", groupBy: ["status"] };
 * await holdfast.tasks.counts(options).first(24);
 */
export interface CountOptions extends ListOptions<FilterOf<"tasks", "list-task-counts">> {
  /** The stretches of time: `day` where it is left out. */
  interval?: CountInterval | undefined;
  /** The zone in which they begin, such as `Europe/Berlin`: `UTC` where it is left out. */
  timeZone?: string | undefined;
  /** What is counted apart, at most two: `outcome` where it is left out. */
  groupBy?: readonly CountGroup[] | undefined;
}

/**
 * Which part of a log is read, in bytes.
 * @example
 * import { type LogOptions } from "@holdfast/client";
 *
 * const options: LogOptions = { offset: 0, limit: 1_024 };
 * await holdfast.tasks.readLog(taskId, options);
 */
export interface LogOptions extends CallOptions {
  /** Where to begin; 0 where it is left out. */
  offset?: number | undefined;
  /** How much to read: 65,536 where it is left out, at most 1,048,576. */
  limit?: number | undefined;
  /** How much of the end to read, instead. */
  tail?: number | undefined;
}

/** Backups, restores, snapshots and everything else that runs. */
export interface Tasks {
  /**
   * Lists the tasks of the organizational unit and of those below it, newest first.
   * @example
   * const since = new Date(Date.now() - 7 * 86_400_000);
   * for await (const task of holdfast.tasks.list({ filter: { status: "failed", created_timestamp: { $gte: since } } })) {
   *   console.log(task.primary_entity?.value, task.error?.message);
   * }
   */
  list(options?: ListOptions<Filter>): Listing<Task>;
  /**
   * Counts tasks by hour, day, week or month of a time zone, newest first. Without `interval` it counts by day.
   * @example
   * const lastDays = holdfast.tasks.counts({ interval: "day", timeZone: "Europe/Berlin", groupBy: ["outcome"] });
   * for (const { start_timestamp, outcome, count } of await lastDays.first(30)) console.log(start_timestamp, outcome, count);
   */
  counts(options?: CountOptions): Listing<TaskCount>;
  /**
   * Watches tasks, until the loop is left or the signal is aborted. First comes the newest page, then every change. A lost
   * connection is opened again, and no event is lost or comes twice. It throws when the right to watch has ended.
   * @example
   * for await (const event of holdfast.tasks.watch({ filter: { status: { $in: ["in_progress", "aborting"] } } })) {
   *   if (event.event === "snapshot") console.log(event.page.total_count, "running");
   *   if (event.event === "match" || event.event === "task") console.log(event.item.type, event.item.progress_percentage);
   *   break;
   * }
   */
  watch(options?: WatchOptions<Filter>): AsyncGenerator<WatchEvent<Task>, void, undefined>;
  /**
   * Reads one task.
   * @example
   * const { status, outcome } = await holdfast.tasks.read(taskId);
   */
  read(id: string, options?: CallOptions): Promise<Task>;
  /**
   * Reports a task that begins, waits to be begun, or has ended already. It gets a random id unless it has one, so
   * that it is created once however often it is sent. {@link reportTask} does all of this for work that runs here.
   * @example
   * await holdfast.tasks.create({
   *   category: "backup",
   *   type: "restic_backup",
   *   status: "completed",
   *   duration_ms: 720_000,
   *   primary_entity: { type: "host", value: "web-01" },
   * });
   */
  create(body: Body<"create-task">, options?: CallOptions): Promise<CreatedTask>;
  /**
   * Reports how a task comes along or ends. An empty body is a heartbeat.
   * @example
   * await holdfast.tasks.update(taskId, { progress_percentage: 60, progress_message: "packing" });
   */
  update(id: string, body: Body<"update-task">, options?: CallOptions): Promise<ItemOf<"tasks", "update-task">>;
  /**
   * Asks for a task to be aborted. Its runner stops the work; the task says when it has.
   * @example
   * await holdfast.tasks.abort(taskId, "the disk is needed");
   */
  abort(id: string, reason?: string, options?: CallOptions): Promise<Task>;
  /**
   * Sends several reports at once. Each is accepted or refused by itself.
   * @example
   * const { results } = await holdfast.tasks.report({
   *   reports: [{ operation: "update", task_id: taskId, body: { status: "completed" } }],
   * });
   */
  report(body: Body<"report-tasks">, options?: CallOptions): Promise<ItemOf<"tasks", "report-tasks">>;
  /**
   * Adds to the log of a task.
   * @example
   * const { log_size } = await holdfast.tasks.appendLog(taskId, { offset: 0, text: "scan finished in 1.2 s\n" });
   */
  appendLog(id: string, body: Body<"append-task-log">, options?: CallOptions): Promise<{ log_size: number }>;
  /**
   * Reads a part of the log of a task.
   * @example
   * const { text, next_offset, is_complete } = await holdfast.tasks.readLog(taskId, { tail: 4096 });
   */
  readLog(id: string, options?: LogOptions): Promise<ItemOf<"tasks", "read-task-log">>;
  /**
   * Reads the whole log of a task, as text.
   * @example
   * console.log(await holdfast.tasks.downloadLog(taskId));
   */
  downloadLog(id: string, options?: CallOptions): Promise<string>;
}

export function createTasks(calls: Calls): Tasks {
  return {
    list: (options = {}) => listItems(calls, "tasks", "list-tasks", options),
    counts: ({ interval, timeZone, groupBy, ...options } = {}) => {
      const query = { interval, time_zone: timeZone, group_by: groupBy?.join(",") };
      return listItems(calls, "tasks", "list-task-counts", { ...options, query });
    },
    watch: (options = {}) => watchItems(calls, "tasks", "watch-tasks", options),
    read: (id, options = {}) => readItem(calls, "tasks", "read-task", { ...options, ids: [id] }),
    create: (body, options = {}) => sendReport(calls, "tasks", "create-task", options, { id: randomUuid(), ...body }),
    update: (id, body, options = {}) => sendReport(calls, "tasks", "update-task", { ...options, ids: [id] }, body),
    async abort(id, reason, options = {}) {
      const body = { status: "aborting", ...(reason === undefined ? {} : { reason }) };
      const asked = { ...options, ids: [id] };
      return JSON.parse((await call(calls, "tasks", "update-task", asked, { body, isRepeatable: true })).text);
    },
    report: (body, options = {}) => sendReport(calls, "tasks", "report-tasks", options, body),
    appendLog: (id, body, options = {}) =>
      sendReport(calls, "tasks", "append-task-log", { ...options, ids: [id] }, body),
    readLog: (id, { offset, limit, tail, ...options } = {}) => {
      const query = { offset: offset?.toString(), limit: limit?.toString(), tail: tail?.toString() };
      return readItem(calls, "tasks", "read-task-log", { ...options, ids: [id], query });
    },
    async downloadLog(id, options = {}) {
      const asked = { ...options, ids: [id], headers: { Accept: "text/plain" } };
      return (await call(calls, "tasks", "read-task-log", asked, { isRepeatable: true })).text;
    },
  };
}
