import type { Database } from "../../src/database/database";
import { insertTasks } from "../../src/resources/tasks/reports/store";
import { deleteTasks, updateTask } from "../change-tasks";
import { inStatus } from "../harness";
import type { Dice } from "../random";
import { livingTask } from "./crowd";

/** When something was begun and when it was acknowledged, by performance.now(). */
interface Span {
  begun: number;
  done: number;
}

/** Life of a task. */
interface Life {
  inserted: Span;
  /** When it was finished or deleted, if it was. */
  touched: Span | undefined;
  deleted: Span | undefined;
}

/** Renderers that do not wait for anybody. */
export interface BusyWriters {
  /** Number of tasks that were inserted, finished or deleted, all together. */
  written(): number;
  /** Tasks owed to a walk that was asked for its first page at one moment and had it at another. */
  owedBy(walk: Span): { steady: string[]; late: Set<string>; min: number; max: number };
  stop(): Promise<void>;
}

const never = Number.POSITIVE_INFINITY;
/** As reports are written: on PostgreSQL at the same time, so that a lower number may be committed later. */
const sideBySide = { kind: "report" } as const;
const inserts = 80;
const finishes = 3;
const deletions = 77;

/** Starts one writer for each database; all of them insert, finish and delete in one unit, several tasks at a time. */
export async function startBusyWriters(
  databases: readonly Database[],
  unitId: string,
  { first, dice }: { first: number; dice: Dice },
): Promise<BusyWriters> {
  const lives = new Map<string, Life>();
  let number = 0;
  let written = 0;
  let isOver = false;

  async function insert(db: Database, count: number): Promise<void> {
    const tasks = Array.from({ length: count }, () => livingTask(++number, dice, unitId));
    const inserted = { begun: performance.now(), done: never };
    for (const { id } of tasks) lives.set(id, { inserted, touched: undefined, deleted: undefined });
    await db.change((queries) => insertTasks(queries, tasks), sideBySide);
    inserted.done = performance.now();
    written += count;
  }

  /** Takes some that are there and that nobody has touched. */
  function take(count: number, isDeleted: boolean): { ids: string[]; span: Span } {
    const span = { begun: performance.now(), done: never };
    const free = [...lives].filter(([, { inserted, touched }]) => inserted.done < never && !touched);
    const ids: string[] = [];
    for (let taken = 0; taken < count && free.length > first / 2; taken++) {
      const [chosen] = free.splice(dice(free.length), 1);
      if (!chosen) break;
      chosen[1].touched = span;
      if (isDeleted) chosen[1].deleted = span;
      ids.push(chosen[0]);
    }
    return { ids, span };
  }

  async function finish(db: Database): Promise<void> {
    const { ids, span } = take(finishes, false);
    await db.change(async (queries) => {
      for (const id of ids) await updateTask(queries, id, inStatus("failed"));
    }, sideBySide);
    span.done = performance.now();
    written += ids.length;
  }

  async function remove(db: Database): Promise<void> {
    const { ids, span } = take(deletions, true);
    await db.change((queries) => deleteTasks(queries, ids), sideBySide);
    span.done = performance.now();
    written += ids.length;
  }

  async function write(db: Database): Promise<void> {
    // Others get their turn, also where writing never waits.
    for (; !isOver; await Bun.sleep(0)) {
      await insert(db, inserts);
      await finish(db);
      await remove(db);
    }
  }

  const [beginner] = databases;
  if (beginner) await insert(beginner, first);
  const writers = databases.map(write);
  return {
    written: () => written,
    owedBy(walk) {
      const all = [...lives];
      const ids = (which: (life: Life) => boolean) => all.filter(([, life]) => which(life)).map(([id]) => id);
      return {
        steady: ids(({ inserted, touched }) => inserted.done < walk.begun && !touched),
        late: new Set(ids(({ inserted }) => inserted.begun > walk.done)),
        min: ids(({ inserted, deleted }) => inserted.done < walk.begun && !(deleted && deleted.begun < walk.done))
          .length,
        max: ids(({ inserted, deleted }) => inserted.begun < walk.done && !(deleted && deleted.done < walk.begun))
          .length,
      };
    },
    async stop() {
      isOver = true;
      await Promise.all(writers);
    },
  };
}
