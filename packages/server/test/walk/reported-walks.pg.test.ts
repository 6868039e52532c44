import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Database } from "../../src/database/database";
import { openByUrl } from "../folder-database";
import { openPlane, type Plane } from "../harness";
import { taskMatcher, type WrittenFilter } from "../isolation/model";
import { createDice } from "../random";
import { recountTasks } from "../recount";
import { runs } from "../runs";
import { createReportingCrowd } from "./reporting-crowd";
import { findFaults, walkNext, walkPrev } from "./walk-while";

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

const anyPlan = fc.record({
  seed: fc.integer(),
  filter: fc.constantFrom<WrittenFilter[]>(
    {},
    { status: "in_progress" },
    { status: { $neq: "failed" } },
    { category: "backup" },
    { created_timestamp: { $gte: "2026-11-01T23:00:00Z", $lt: "2026-11-02T01:00:00Z" } },
    { "primary_entity.id": "host-1", status: { $neq: "completed" } },
  ),
  limit: fc.integer({ min: 2, max: 13 }),
  count: fc.integer({ min: 1, max: 80 }),
  actsPerPage: fc.integer({ min: 0, max: 6 }),
});

test("R9 a walk does not drift while tasks are reported, put back in time, ended, lost and revived", async () => {
  await fc.assert(
    fc.asyncProperty(anyPlan, async ({ seed, filter, limit, count, actsPerPage }) => {
      const unitId = await plane.addUnit(`A unit of its own ${crypto.randomUUID()}`);
      const crowd = await createReportingCrowd(others, { count, dice: createDice(seed), unitId });
      const matching = crowd.first.filter(taskMatcher(filter)).map(({ id }) => id);
      const owed = () => crowd.steady().filter((id) => matching.includes(id));
      const address = `/tasks?limit=${limit}&filter=${encodeURIComponent(JSON.stringify(filter))}`;
      const ask = { token, unit: unitId };
      const meanwhile = async () => {
        for (let act = 0; act < actsPerPage; act++) await crowd.act();
      };
      const none = { duplicates: [], missed: [], late: [], misplaced: [], totals: [matching.length] };
      const pages = await walkNext(plane, address, ask, meanwhile);
      expect(findFaults(pages, crowd, owed())).toEqual(none);
      const [last] = pages.slice(-1);
      const back = last && last.body.current_count > 0 ? await walkPrev(plane, last, ask, meanwhile) : pages;
      expect(findFaults(back, crowd, owed())).toEqual(none);
    }),
    runs(40),
  );
  const { kept, counted } = await plane.database.snapshot(recountTasks);
  expect(kept).toEqual(counted);
}, 120_000);
