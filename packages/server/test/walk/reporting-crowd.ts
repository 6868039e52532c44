import type { Database, Queries } from "../../src/database/database";
import { followTasks } from "../../src/resources/follow-tasks";
import { loseTask } from "../../src/resources/tasks/lifecycle";
import type { TaskRecord } from "../../src/resources/tasks/record";
import {
  readGroup,
  type TaskReport,
  type WrittenReport,
  writeReports,
} from "../../src/resources/tasks/reports/write-reports";
import type { Dice } from "../random";
import type { Crowd } from "./crowd";

const now = Date.parse("2026-11-02T02:00:00.000Z");
const reporter = { holder: "a runner", mayRead: true };

/** A crowd of runners, and the tasks that they had reported before. */
export interface ReportingCrowd extends Crowd {
  first: readonly TaskRecord[];
}

/** Lets runners report tasks over connections of their own: back-dated ones, progress, ends, losses and revivals. */
export async function createReportingCrowd(
  databases: readonly Database[],
  { count, dice, unitId }: { count: number; dice: Dice; unitId: string },
): Promise<ReportingCrowd> {
  const choose = <Item>(items: readonly Item[]): Item | undefined => items[dice(Math.max(1, items.length))];
  const write = async (reports: TaskReport[]): Promise<WrittenReport[]> => {
    const written = await choose(databases)?.change(
      (db) => writeReports(db, reports, { now, taskLogLimit: 0, follow: followTasks }),
      { kind: "report" },
    );
    return written ?? [];
  };
  const update = (taskId: string, body: (TaskReport & { operation: "update" })["body"]): TaskReport => ({
    operation: "update",
    taskId,
    body,
    reporter,
    unitId,
  });
  let number = 0;

  /** A new task of which several share a moment, at any time of four hours around midnight. */
  function newTask(): TaskReport {
    number += 1;
    const id = `${dice(0xffff_ffff).toString(16).padStart(8, "0")}-0000-4000-8000-${String(number).padStart(12, "0")}`;
    const host = `web-0${dice(3)}.example.org`;
    const task = {
      id,
      category: dice(2) === 0 ? ("backup" as const) : ("restore" as const),
      type: "restic_backup",
      organizational_unit_id: unitId,
      primary_entity: { type: "host", value: host, id: `host-${dice(3)}` },
      age_ms: dice(100) * 144_000,
    };
    return { operation: "create", taskId: id, task, reporter, unitId };
  }

  const reports = Array.from({ length: count }, newTask);
  const first = (await write(reports)).flatMap((written) => ("task" in written ? [written.task.record] : []));
  const steady = new Set(first.map(({ id }) => id));
  const touched = new Set<string>();
  const arrived = new Set<string>();
  const lost: string[] = [];

  /** Takes one of the first, whose status is going to change. */
  function take(): string | undefined {
    const id = choose([...steady]);
    if (id !== undefined) {
      steady.delete(id);
      touched.add(id);
    }
    return id;
  }

  async function lose(db: Queries, id: string): Promise<void> {
    const group = await readGroup(db, [id], [], followTasks);
    const tracked = group.get(id);
    tracked.task = tracked.task && loseTask(tracked.task, now);
    await group.save(now);
  }

  const acts: (() => Promise<unknown>)[] = [
    async () => {
      const some = Array.from({ length: 1 + dice(3) }, newTask);
      for (const { taskId } of some) arrived.add(taskId);
      await write(some);
    },
    // Progress moves a task nowhere.
    () => write([...steady].slice(0, 3).map((id) => update(id, { progress_percentage: dice(101) }))),
    () => write([take() ?? []].flat().map((id) => update(id, { status: "completed" }))),
    async () => {
      const id = take();
      await (id && choose(databases)?.change((db) => lose(db, id)));
      lost.push(...[id ?? []].flat());
    },
    () => write(lost.splice(0, 1).map((id) => update(id, dice(2) === 0 ? {} : { status: "completed", age_ms: 1_000 }))),
  ];
  return {
    first,
    touched,
    arrived,
    steady: () => [...steady],
    act: async () => void (await choose(acts)?.()),
  };
}
