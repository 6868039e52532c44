import { afterAll, expect, test } from "bun:test";
import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../../src/database/database";
import { runLater } from "../../src/database/later";
import { openByUrl } from "../folder-database";
import { createTestDatabase } from "../test-database";

const made = await createTestDatabase();
const database = await openByUrl(made.url);
afterAll(async () => {
  await database.close();
  await made.drop();
});
await database.change((db) => sql`create table words (id int primary key, word text)`.execute(db));

const later = (db: Queries, statement: RawBuilder<unknown>) => runLater(db, statement.compile(db));
const add = (id: number, word: string | null) => sql`insert into words values (${id}, ${word})`;

async function storedWords(): Promise<unknown[]> {
  const { rows } = await database.snapshot((db) =>
    sql<{ word: string }>`select word from words order by id`.execute(db),
  );
  return rows.map(({ word }) => word);
}

test("what may run later has run before the next statement, in its order, and with the commit at last", async () => {
  const seen = await database.change(async (db) => {
    await later(db, add(1, 'a "quoted" \\ word'));
    await later(db, sql`update words set word = word || '!' where id = any(cast(${[1, 2]} as int[]))`);
    const { rows } = await sql<{ word: string }>`select word from words`.execute(db);
    const { numAffectedRows } = await sql`update words set id = id + 0`.execute(db);
    await later(db, add(2, null));
    const changed = await sql`update words set id = id + 0`.execute(db);
    await later(db, add(3, "last"));
    return [rows, numAffectedRows, changed.numAffectedRows];
  });
  expect(seen).toEqual([[{ word: 'a "quoted" \\ word!' }], 1n, 2n]);
  expect(await storedWords()).toEqual(['a "quoted" \\ word!', null, "last"]);
});

test("where it fails, the change fails and nothing of it is kept", async () => {
  const before = await storedWords();
  const failing = async (db: Queries, then: () => Promise<unknown>) => {
    await add(10, "not kept").execute(db);
    await later(db, add(1, "known already"));
    await then();
  };
  const withNext = database.change((db) => failing(db, () => sql`select 1`.execute(db)));
  expect(await withNext.catch(({ code }) => code)).toBe("23505");
  const withCommit = database.change((db) => failing(db, async () => {}));
  expect(await withCommit.catch(({ code }) => code)).toBe("23505");
  expect(await storedWords()).toEqual(before);
});

test("a change that is given up before its first statement, or while some wait, leaves its connection as it was", async () => {
  const before = await storedWords();
  const given = new Error("given up");
  const first = database.change(() => Promise.reject(given), { concurrent: true });
  expect(await first.catch((error) => error)).toBe(given);
  const second = database.change(async (db) => {
    await later(db, add(11, "not kept"));
    throw given;
  });
  expect(await second.catch((error) => error)).toBe(given);
  await database.change(async () => {}, { concurrent: true });
  expect(await storedWords()).toEqual(before);
});
