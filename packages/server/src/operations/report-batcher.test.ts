import { afterAll, beforeEach, expect, test } from "bun:test";
import { openPlane } from "../../test/harness";
import type { Database, Queries } from "../database/database";
import { DatabaseUnavailable } from "../database/errors";
import { createReportBatcher } from "./report-batcher";

const plane = await openPlane();
afterAll(plane.close);
beforeEach(() => plane.database.change((db) => db.deleteFrom("sign_in_failures").execute()));

/** The database, and how often something was committed or failed. */
function counting(before: () => void = () => {}) {
  const ends: string[] = [];
  const change: Database["change"] = async (write, options) => {
    try {
      before();
      const result = await plane.database.change(write, options);
      ends.push("committed");
      return result;
    } catch (error) {
      ends.push("failed");
      throw error;
    }
  };
  return { change, ends };
}

/** Writes rows that show which reports were written. */
async function note(db: Queries, keys: readonly string[]): Promise<string[]> {
  for (const key of keys) await db.insertInto("sign_in_failures").values({ key, failures: 1, last_at: 0 }).execute();
  return keys.map((key) => `wrote ${key}`);
}

const written = () =>
  plane.database.snapshot(async (db) => {
    const rows = await db.selectFrom("sign_in_failures").select("key").orderBy("key").execute();
    return rows.map(({ key }) => key);
  });

const urgent = { size: 10, canWait: false };

test("reports that arrive together are one transaction, and each is answered after its commit", async () => {
  const { change, ends } = counting();
  const { write } = createReportBatcher({ change }, note);
  const answers = await Promise.all([["a"], ["b", "c"], []].map(async (keys) => [await write(keys, urgent), ...ends]));
  expect(answers).toEqual([
    [["wrote a"], "committed"],
    [["wrote b", "wrote c"], "committed"],
    [[], "committed"],
  ]);
  expect(await written()).toEqual(["a", "b", "c"]);
});

test("what arrives while a group is being written goes into the next one", async () => {
  const { change, ends } = counting();
  const later: Promise<string[]>[] = [];
  const queue = createReportBatcher({ change }, async (db, keys: readonly string[]) => {
    later.push(...["b", "c"].slice(later.length).map((key) => queue.write([key], urgent)));
    return note(db, keys);
  });
  await queue.write(["a"], urgent);
  expect(ends).toEqual(["committed"]);
  expect(await Promise.all(later)).toEqual([["wrote b"], ["wrote c"]]);
  expect(ends).toEqual(["committed", "committed"]);
});

test("what can wait does so for company, and no longer once something urgent comes", async () => {
  const { change, ends } = counting();
  const limits = { maxWaitMs: 60_000, shortWaitMs: 1, reports: 500, size: 1_000 };
  const { write } = createReportBatcher({ change }, note, limits);
  const patient = [write(["a"], { size: 10, canWait: true }), write(["b"], { size: 10, canWait: true })];
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(ends).toEqual([]);
  expect(await Promise.all([...patient, write(["c"], urgent)])).toEqual([["wrote a"], ["wrote b"], ["wrote c"]]);
  expect(ends).toEqual(["committed"]);
});

test("what can wait is written without company, too", async () => {
  const { change } = counting();
  const { write } = createReportBatcher({ change }, note, { maxWaitMs: 5, shortWaitMs: 1, reports: 500, size: 1_000 });
  expect(await write(["a"], { size: 10, canWait: true })).toEqual(["wrote a"]);
});

test("a group that the database refuses is written one by one, so that only the culprit fails", async () => {
  const { change, ends } = counting();
  const { write } = createReportBatcher({ change }, note);
  const settled = await Promise.allSettled(["a", "a", "b"].map((key) => write([key], urgent)));
  expect(settled).toEqual([
    { status: "fulfilled", value: ["wrote a"] },
    { status: "rejected", reason: expect.any(Error) },
    { status: "fulfilled", value: ["wrote b"] },
  ]);
  expect([await written(), ends]).toEqual([
    ["a", "b"],
    ["failed", "committed", "failed", "committed"],
  ]);
});

test("a database that is away fails the whole group at once", async () => {
  const away = new DatabaseUnavailable("away");
  const { change, ends } = counting(() => {
    throw away;
  });
  const { write } = createReportBatcher({ change }, note);
  const settled = await Promise.allSettled(["a", "b"].map((key) => write([key], urgent)));
  expect([settled, ends]).toEqual([
    [
      { status: "rejected", reason: away },
      { status: "rejected", reason: away },
    ],
    ["failed"],
  ]);
});

test("T38: a group has no more reports and is no larger than is good for the others", async () => {
  const byCount = counting();
  const few = createReportBatcher({ change: byCount.change }, note, {
    maxWaitMs: 5,
    shortWaitMs: 5,
    reports: 2,
    size: 1_000,
  });
  await Promise.all(["a", "b", "c", "d", "e"].map((key) => few.write([key], urgent)));
  expect(byCount.ends.length).toBe(3);
  const bySize = counting();
  const small = createReportBatcher({ change: bySize.change }, note, {
    maxWaitMs: 5,
    shortWaitMs: 5,
    reports: 100,
    size: 100,
  });
  await Promise.all([60, 60, 5_000, 30, 70].map((size, key) => small.write([String(key)], { ...urgent, size })));
  expect(bySize.ends.length).toBe(4);
});
