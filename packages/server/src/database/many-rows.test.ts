import { Database as File } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { Kysely, sql } from "kysely";
import { listed, prepareInsert } from "./many-rows";
import type { Schema } from "./schema";
import { sqliteDialect } from "./sqlite/dialect";

test("on SQLite any number of rows is written and found with the same statements, each prepared once", async () => {
  const file = new File(":memory:");
  file.run("create table listening (noted_at text primary key, times integer)");
  const prepare = spyOn(file, "prepare");
  const db = new Kysely<Schema>({ dialect: sqliteDialect(file) });
  const save = prepareInsert("listening", ["noted_at", "times"], sql`on conflict (noted_at) do update set times = 2`);
  for (let count = 0; count <= 20; count++) {
    const names = Array.from({ length: count }, (_, number) => `row's "${String(number).padStart(2, "0")}" \u00e4`);
    await save(
      db,
      names.map((noted_at) => ({ noted_at, times: null })),
    );
    const { rows } = await sql`select noted_at, times from listening where noted_at in ${listed(names)}`.execute(db);
    // The last one is new, and all others have been there before.
    expect(rows).toEqual(names.map((noted_at, number) => ({ noted_at, times: number === count - 1 ? null : 2 })));
  }
  expect(prepare).toHaveBeenCalledTimes(2);
  await db.destroy();
});
