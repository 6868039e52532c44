import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { type Selectable, sql } from "kysely";
import type { TaskTable } from "../../src/database/schema";
import { newTaskId } from "../../src/resources/tasks/reports/prepare-report";
import { makeFolder, openPlane, type Plane } from "../harness";
import { createDice, type Dice } from "../random";
import { recountTasks } from "../recount";
import { size } from "../runs";
import { createTestDatabase } from "../test-database";

const wanted = size({ default: 1_000, long: 50_000 });
const writers = 8;
const perBatch = 10;

const held = await createTestDatabase();
const folder = makeFolder();
// Two services, each with connections of its own, as processes have.
const planes = [
  await openPlane({ database_url: held.url }, folder),
  await openPlane({ database_url: held.url }, folder),
] as const;
const { token } = await planes[0].serviceToken("reporter");
const { token: viewer } = await planes[0].serviceToken("viewer");
afterAll(async () => {
  for (const plane of planes) await plane.database.close();
  await held.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** When something was begun and when it was acknowledged, by performance.now(). */
interface Span {
  begun: number;
  done: number;
}

/** Reports new tasks, some of them back-dated, and how they go on, until there are enough. */
async function write(plane: Plane, tasks: Map<string, Span>, dice: Dice): Promise<void> {
  while (tasks.size < wanted) {
    const span = { begun: performance.now(), done: Number.POSITIVE_INFINITY };
    // As a runner does, which takes its ids before it sends them.
    const ids = Array.from({ length: perBatch }, newTaskId);
    for (const id of ids) tasks.set(id, span);
    const reports = ids.flatMap((task_id) => [
      {
        operation: "create",
        task_id,
        body: { id: task_id, category: "backup", type: "restic_backup", sequence: 1, age_ms: dice(86_400_000) },
      },
      { operation: "update", task_id, body: { sequence: 2, progress_percentage: dice(100) } },
      {
        operation: "update",
        task_id,
        body: { sequence: 3, ...(dice(2) === 0 ? { status: "completed" } : { age_ms: 1 }) },
      },
    ]);
    await Bun.sleep(dice(5));
    const { status, body } = await plane.ask("/task-reports", { method: "POST", token, body: { reports } });
    expect([status, body.results.filter((one: { status: number }) => one.status > 201)]).toEqual([200, []]);
    span.done = performance.now();
  }
}

type Row = Pick<Selectable<TaskTable>, "id" | "xid">;

/** Rows after the last transaction that was seen, of those before which none is open. */
const readHighWaterMark = (after: number) => sql<Row>`
  select id, xid from tasks
  where xid > ${after} and xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint order by xid`;

const readById = (after: string) => sql<Row>`select id, xid from tasks where id > ${after} order by id`;

/** Asks again and again for what comes after the last that was seen, and gives all that was seen. */
async function poll(plane: Plane, by: "arrival" | "id", isOver: () => boolean): Promise<Set<string>> {
  const seen = new Set<string>();
  let lastTransaction = 0;
  let lastId = "";
  for (let wasOver = false; ; ) {
    const { rows } = await plane.database.snapshot((db) =>
      (by === "arrival" ? readHighWaterMark(lastTransaction) : readById(lastId)).execute(db),
    );
    for (const { id, xid } of rows) {
      seen.add(id);
      lastTransaction = Math.max(lastTransaction, xid);
    }
    lastId = rows.at(-1)?.id ?? lastId;
    if (wasOver) return seen;
    wasOver = isOver();
    await Bun.sleep(1);
  }
}

/** Walks the list over and over, and gives what each walk missed, saw twice or saw too early. */
async function walkOver(plane: Plane, tasks: ReadonlyMap<string, Span>, isOver: () => boolean): Promise<string[]> {
  const faults: string[] = [];
  while (!isOver()) {
    const begun = performance.now();
    const seen: string[] = [];
    let firstAt = 0;
    for (let href: string | undefined = "/tasks?limit=97"; href !== undefined; ) {
      const { body } = await plane.ask(href, { token: viewer });
      firstAt ||= performance.now();
      seen.push(...body._embedded.items.map(({ id }: { id: string }) => id));
      href = body._links.next?.href;
    }
    const found = new Set(seen);
    if (found.size !== seen.length) faults.push("a task came twice");
    for (const [id, span] of tasks) {
      if (span.done < begun && !found.has(id)) faults.push(`${id} was missed`);
      if (span.begun > firstAt && found.has(id)) faults.push(`${id} came too early`);
    }
    await Bun.sleep(5);
  }
  return faults;
}

test(`R11: of ${wanted} tasks that 8 runners report on PostgreSQL at once, a poll in the order of arrival and a walk miss none`, async () => {
  const tasks = new Map<string, Span>();
  const dice = createDice(11);
  let isOver = false;
  const polling = poll(planes[0], "arrival", () => isOver);
  const wrongPolling = poll(planes[1], "id", () => isOver);
  const walking = walkOver(planes[1], tasks, () => isOver);
  await Promise.all(Array.from({ length: writers }, (_, index) => write(planes[index % 2 === 0 ? 0 : 1], tasks, dice)));
  isOver = true;
  const missedBy = (seen: ReadonlySet<string>) => [...tasks.keys()].filter((id) => !seen.has(id));
  expect(missedBy(await polling)).toEqual([]);
  // The control: by ids, which are made before they are committed, the same poll misses some.
  expect(missedBy(await wrongPolling).length).toBeGreaterThan(0);
  expect(await walking).toEqual([]);
  const { kept, counted } = await planes[0].database.snapshot(recountTasks);
  expect(kept).toEqual(counted);
}, 600_000);
