import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Database } from "../../src/database/database";
import { insertTasks } from "../../src/resources/tasks/reports/store";
import { openByUrl } from "../folder-database";
import { openPlane, type Plane } from "../harness";
import { taskMatcher, type WrittenFilter } from "../isolation/model";
import { createDice } from "../random";
import { control, runs } from "../runs";
import { createCrowd, livingTask } from "./crowd";
import { findFaults, walkByNumber, walkNext, walkPrev } from "./walk-while";

let plane: Plane;
let others: Database[];
let token: string;

beforeAll(async () => {
  plane = await openPlane();
  others = [await openByUrl(plane.databaseUrl), await openByUrl(plane.databaseUrl)];
  token = (await plane.serviceToken("viewer")).token;
});
afterAll(async () => {
  for (const other of others) await other.close();
  await plane.close();
});

const anyFilter = fc.constantFrom<WrittenFilter[]>(
  {},
  { status: "queued" },
  { status: { $neq: "failed" } },
  { status: { $in: ["queued", "in_progress", "failed"] }, category: "restore" },
  { category: "backup" },
  { created_timestamp: { $gte: "2026-11-01T23:00:00Z", $lt: "2026-11-02T01:00:00Z" } },
  { created_timestamp: { $lte: "2026-11-01T23:59:59.999Z" }, category: "backup" },
  { "primary_entity.value": { $contains: "WEB-01" } },
  { "primary_entity.id": "host-1", status: { $neq: "failed" } },
);
const anyWalk = fc.record({
  seed: fc.integer(),
  filter: anyFilter,
  limit: fc.integer({ min: 2, max: 13 }),
  tasks: fc.integer({ min: 0, max: 80 }),
  actsPerPage: fc.integer({ min: 0, max: 6 }),
});

/** A unit with tasks and a crowd that works on them between pages. */
async function prepare({
  seed,
  filter,
  limit,
  tasks,
  actsPerPage,
}: typeof anyWalk extends fc.Arbitrary<infer Plan> ? Plan : never) {
  const dice = createDice(seed);
  const unit = await plane.addUnit(`A unit of its own ${crypto.randomUUID()}`);
  const first = Array.from({ length: tasks }, (_, index) => livingTask(index, dice, unit));
  await plane.database.change((db) => insertTasks(db, first));
  const crowd = createCrowd(others, first, dice, unit);
  const matching = first.filter(taskMatcher(filter)).map(({ id }) => id);
  return {
    crowd,
    matching,
    owed: () => crowd.steady().filter((id) => matching.includes(id)),
    address: `/tasks?limit=${limit}&filter=${encodeURIComponent(JSON.stringify(filter))}`,
    ask: { token, unit },
    meanwhile: async () => {
      for (let act = 0; act < actsPerPage; act++) await crowd.act();
    },
  };
}

test("R9 a walk over next sees each task that matched all along exactly once, nothing that came later, one total, in order", async () => {
  await fc.assert(
    fc.asyncProperty(anyWalk, async (plan) => {
      const { crowd, matching, owed, address, ask, meanwhile } = await prepare(plan);
      const pages = await walkNext(plane, address, ask, meanwhile);
      expect(findFaults(pages, crowd, owed())).toEqual({
        duplicates: [],
        missed: [],
        late: [],
        misplaced: [],
        totals: [matching.length],
      });
    }),
    runs(60),
  );
}, 120_000);

test("R9 walking back over prev from where a walk ended sees the same once more", async () => {
  await fc.assert(
    fc.asyncProperty(anyWalk, async (plan) => {
      const { crowd, matching, owed, address, ask, meanwhile } = await prepare(plan);
      const [last] = (await walkNext(plane, address, ask, meanwhile)).slice(-1);
      const lastPage = last ?? (await plane.ask(address, ask));
      // Where the crowd has emptied the last page there is nothing to go back from.
      fc.pre(lastPage.body.current_count > 0);
      const pages = await walkPrev(plane, lastPage, ask, meanwhile);
      expect(findFaults(pages, crowd, owed())).toEqual({
        duplicates: [],
        missed: [],
        late: [],
        misplaced: [],
        totals: [matching.length],
      });
    }),
    runs(25),
  );
}, 120_000);

test("R9 turning round at any page leads back and forth between the same neighbours", async () => {
  const { address, ask } = await prepare({ seed: 7, filter: {}, limit: 7, tasks: 60, actsPerPage: 0 });
  const pages = await walkNext(plane, address, ask, async () => {});
  const ids = pages.map(({ body }) => body._embedded.items.map(({ id }: { id: string }) => id));
  for (const [index, page] of pages.entries()) {
    const next = page.body._links.next && (await plane.ask(page.body._links.next.href, ask));
    const prev = page.body._links.prev && (await plane.ask(page.body._links.prev.href, ask));
    const around = [prev, next].map((one) => one?.body._embedded.items.map(({ id }: { id: string }) => id));
    expect(around).toEqual([ids[index - 1], ids[index + 1]]);
    expect([prev?.body.start, next?.body.start]).toEqual([
      index === 0 ? undefined : String(index),
      index === pages.length - 1 ? undefined : String(index + 2),
    ]);
  }
});

test("R9 a walk holds while writers do not wait for its pages", async () => {
  const { crowd, matching, owed, address, ask } = await prepare({
    seed: 20_261_115,
    filter: { status: { $neq: "failed" } },
    limit: 3,
    tasks: 400,
    actsPerPage: 0,
  });
  let isOver = false;
  let acts = 0;
  const writers: Promise<void>[] = [];
  async function write(): Promise<void> {
    for (; !isOver; await Bun.sleep(0)) {
      await crowd.act();
      acts += 1;
    }
  }
  const afterFirstPage = [() => writers.push(write(), write())];
  const pages = await walkNext(plane, address, ask, async () => {
    afterFirstPage.pop()?.();
    // The walk does wait for them: on a busy machine it would be over before they have done much.
    for (const before = acts; acts < before + 2; ) await Bun.sleep(0);
  });
  isOver = true;
  await Promise.all(writers);
  expect(crowd.arrived.size + crowd.touched.size).toBeGreaterThan(100);
  expect(findFaults(pages, crowd, owed())).toEqual({
    duplicates: [],
    missed: [],
    late: [],
    misplaced: [],
    totals: [matching.length],
  });
}, 120_000);

control(
  "R9 the control: counting start upwards by hand repeats and misses tasks under the same writers",
  async () => {
    let duplicates = 0;
    let missed = 0;
    for (let seed = 0; seed < 4; seed++) {
      const plan = { seed, filter: {}, limit: 5, tasks: 80, actsPerPage: 4 };
      const { crowd, owed, address, ask, meanwhile } = await prepare(plan);
      const faults = findFaults(await walkByNumber(plane, address, ask, meanwhile), crowd, owed());
      duplicates += faults.duplicates.length;
      missed += faults.missed.length;
    }
    expect(duplicates).toBeGreaterThan(0);
    expect(missed).toBeGreaterThan(0);
  },
  120_000,
);
