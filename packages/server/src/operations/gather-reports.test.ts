import { afterAll, beforeEach, expect, test } from "bun:test";
import { refuse } from "@holdfast/api/conventions/api-error";
import { openPlane } from "../../test/harness";
import type { Database, Queries } from "../database/database";
import { DatabaseAway } from "../database/errors";
import { gatherReports } from "./gather-reports";

const plane = await openPlane();
afterAll(plane.close);
beforeEach(() => plane.database.change((db) => db.deleteFrom("sign_in_failures").execute()));

const refusal = refuse("alreadyThere", "This was refused. Send something else.");

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

/** Writes a row that shows that a report was written. */
async function note(db: Queries, key: string): Promise<string> {
  await db.insertInto("sign_in_failures").values({ key, failures: 1, last_at: 0 }).execute();
  return `wrote ${key}`;
}

const written = () =>
  plane.database.snapshot(async (db) => {
    const rows = await db.selectFrom("sign_in_failures").select("key").orderBy("key").execute();
    return rows.map(({ key }) => key);
  });

test("reports that arrive together are one transaction, and each is answered after its commit", async () => {
  const { change, ends } = counting();
  const write = gatherReports({ change });
  const answers = await Promise.all(
    ["a", "b", "c"].map(async (key) => [await write((db) => note(db, key), 10), ...ends]),
  );
  expect(answers).toEqual([
    ["wrote a", "committed"],
    ["wrote b", "committed"],
    ["wrote c", "committed"],
  ]);
  expect(await written()).toEqual(["a", "b", "c"]);
});

test("what arrives while a group is being written goes into the next one", async () => {
  const { change, ends } = counting();
  const write = gatherReports({ change });
  const later: Promise<string>[] = [];
  await write(async (db) => {
    for (const key of ["b", "c"]) later.push(write((other) => note(other, key), 10));
    return note(db, "a");
  }, 10);
  expect(ends).toEqual(["committed"]);
  expect(await Promise.all(later)).toEqual(["wrote b", "wrote c"]);
  expect(ends).toEqual(["committed", "committed"]);
});

test("a report that is refused undoes what it wrote itself and nothing of the others", async () => {
  const { change, ends } = counting();
  const write = gatherReports({ change });
  const settled = await Promise.allSettled([
    write((db) => note(db, "before"), 10),
    write(async (db) => {
      await note(db, "refused");
      throw refusal;
    }, 10),
    write((db) => note(db, "after"), 10),
  ]);
  expect(settled).toEqual([
    { status: "fulfilled", value: "wrote before" },
    { status: "rejected", reason: refusal },
    { status: "fulfilled", value: "wrote after" },
  ]);
  expect([await written(), ends]).toEqual([["after", "before"], ["committed"]]);
});

test("a group that the database refuses is written one by one, so that only the culprit fails", async () => {
  const { change, ends } = counting();
  const write = gatherReports({ change });
  const settled = await Promise.allSettled(["a", "a", "b"].map((key) => write((db) => note(db, key), 10)));
  expect(settled).toEqual([
    { status: "fulfilled", value: "wrote a" },
    { status: "rejected", reason: expect.any(Error) },
    { status: "fulfilled", value: "wrote b" },
  ]);
  expect([await written(), ends]).toEqual([
    ["a", "b"],
    ["failed", "committed", "failed", "committed"],
  ]);
});

test("a database that is away fails the whole group at once", async () => {
  const away = new DatabaseAway("away");
  const { change, ends } = counting(() => {
    throw away;
  });
  const write = gatherReports({ change });
  const settled = await Promise.allSettled(["a", "b"].map((key) => write((db) => note(db, key), 10)));
  expect([settled, ends]).toEqual([
    [
      { status: "rejected", reason: away },
      { status: "rejected", reason: away },
    ],
    ["failed"],
  ]);
});

test("T38: a group has no more reports and no more bytes than is good for the others", async () => {
  const byCount = counting();
  const few = gatherReports({ change: byCount.change }, { wait: 5, reports: 2, bytes: 1_000 });
  await Promise.all(["a", "b", "c", "d", "e"].map((key) => few((db) => note(db, key), 10)));
  expect(byCount.ends.length).toBe(3);
  const bySize = counting();
  const small = gatherReports({ change: bySize.change }, { wait: 5, reports: 100, bytes: 100 });
  await Promise.all([60, 60, 5_000, 30, 70].map((bytes, key) => small((db) => note(db, String(key)), bytes)));
  expect(bySize.ends.length).toBe(4);
});
