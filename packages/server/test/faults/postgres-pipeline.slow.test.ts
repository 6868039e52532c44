import { afterAll, expect, test } from "bun:test";
import { sql } from "kysely";
import type { Queries } from "../../src/database/database";
import { openByUrl } from "../folder-database";
import { createTestDatabase } from "../test-database";

const made = await createTestDatabase();
const database = await openByUrl(made.url);
afterAll(async () => {
  await database.close();
  await made.drop();
});
await database.change((db) => sql`create table words (id int primary key, word text)`.execute(db));

const add = (db: Queries, id: number, word: string | null) =>
  sql`insert into words values (${id}, ${word})`.execute(db);

async function storedWords(): Promise<unknown[]> {
  const { rows } = await database.snapshot((db) =>
    sql<{ word: string }>`select word from words order by id`.execute(db),
  );
  return rows.map(({ word }) => word);
}

test("statements that are not waited for one by one run in their order, and each gives its own result", async () => {
  const [, changed, { rows }] = await database.change((db) =>
    Promise.all([
      add(db, 1, 'a "quoted" \\ word'),
      sql`update words set word = word || '!' where id = any(cast(${[1, 2]} as int[]))`.execute(db),
      sql<{ word: string }>`select word from words`.execute(db),
      add(db, 2, null),
    ]),
  );
  expect([changed.numAffectedRows, rows]).toEqual([1n, [{ word: 'a "quoted" \\ word!' }]]);
  expect(await storedWords()).toEqual(['a "quoted" \\ word!', null]);
});

test("if one of them fails, the change fails with its error and nothing is kept", async () => {
  const before = await storedWords();
  const failing = database.change((db) =>
    Promise.all([add(db, 10, "not kept"), add(db, 1, "known"), add(db, 11, "late")]),
  );
  expect(await failing.catch(({ code }) => code)).toBe("23505");
  expect(await storedWords()).toEqual(before);
});

test("a change that is given up leaves its connection as it was", async () => {
  const before = await storedWords();
  const given = new Error("given up");
  for (const kind of ["change", "report", "maintenance"] as const) {
    const giveUp = async (db: Queries) => {
      await add(db, 11, "not kept");
      throw given;
    };
    expect(await database.change(giveUp, { kind }).catch((error) => error)).toBe(given);
  }
  await database.change(async () => {}, { kind: "maintenance" });
  expect(await storedWords()).toEqual(before);
});

test("a statement that is begun after the end of its change is refused", async () => {
  const before = await storedWords();
  const db = await database.change(async (queries) => ({ queries }));
  await expect(add(db.queries, 12, "too late")).rejects.toThrow("The transaction of this statement has ended.");
  expect(await storedWords()).toEqual(before);
});
