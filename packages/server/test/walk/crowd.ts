import { rootUnitId as root } from "@holdfast/api/conventions/root-unit";
import type { Database } from "../../src/database/database";
import type { TaskRecord } from "../../src/resources/tasks/record";
import { insertTasks } from "../../src/resources/tasks/reports/store";
import { deleteTasks, updateTask } from "../change-tasks";
import type { Dice } from "../random";
import { inStatus, sampleTask } from "../sample-task";

/** Changes of a crowd of writers, told apart by what a walk owes them. */
export interface Crowd {
  /** Does one random thing. */
  act(): Promise<void>;
  /** Ids that were there at the beginning, are still there and were never changed. */
  steady(): string[];
  /** Ids that were there at the beginning and have been finished or deleted since. */
  touched: Set<string>;
  /** Ids that came after the beginning. */
  arrived: Set<string>;
}

const firstMoment = Date.parse("2026-11-01T22:00:00.000Z");

/** A task of which several share a moment, in one of a few states, that nobody has finished yet. */
export function livingTask(number: number, dice: Dice, unitId = root): TaskRecord {
  // A hundred moments in four hours around midnight: ties are the rule.
  const created = new Date(firstMoment + dice(100) * 144_000).toISOString();
  return {
    ...sampleTask(number),
    // Random in front, so that ties are not in the order of arrival.
    id: `${dice(1_000_000).toString(36)}-${number}-${unitId}`,
    category: dice(2) === 0 ? "backup" : "restore",
    status: dice(2) === 0 ? "queued" : "in_progress",
    created_timestamp: created,
    end_timestamp: null,
    outcome: null,
    organizational_unit_id: unitId,
    primary_entity: { id: `host-${dice(3)}`, type: "host", value: `web-0${dice(3)}.example.org` },
  };
}

/** Lets somebody insert (newer, older and equally old ones), finish and delete tasks over connections of their own. */
export function createCrowd(
  databases: readonly Database[],
  first: readonly TaskRecord[],
  dice: Dice,
  unitId = root,
): Crowd {
  const steady = new Map(first.map((task) => [task.id, task]));
  const touched = new Set<string>();
  const arrived = new Set<string>();
  const alive: string[] = [];
  let number = 1_000_000;

  function choose<Item>(items: readonly Item[]): Item | undefined {
    return items[dice(Math.max(1, items.length))];
  }

  async function insert(db: Database): Promise<void> {
    const tasks = Array.from({ length: 1 + dice(3) }, () => {
      number += 1;
      return livingTask(number, dice, unitId);
    });
    // Noted before: a walk may see them as soon as they are committed.
    for (const { id } of tasks) arrived.add(id);
    await db.change((queries) => insertTasks(queries, tasks));
    alive.push(...tasks.map(({ id }) => id));
  }

  async function finish(db: Database): Promise<void> {
    const id = choose([...steady.keys()]);
    if (id === undefined) return;
    touched.add(id);
    steady.delete(id);
    await db.change((queries) => updateTask(queries, id, inStatus("failed")));
  }

  async function remove(db: Database): Promise<void> {
    const id = choose(dice(2) === 0 ? [...steady.keys()] : alive);
    if (id === undefined) return;
    if (steady.delete(id)) touched.add(id);
    await db.change((queries) => deleteTasks(queries, [id]));
  }

  const acts = [insert, insert, finish, remove];
  return {
    touched,
    arrived,
    steady: () => [...steady.keys()],
    async act() {
      const db = choose(databases);
      const act = choose(acts);
      if (db && act) await act(db);
    },
  };
}
