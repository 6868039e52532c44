import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import fc from "fast-check";
import type { Database } from "../../src/database/database";
import { type PlannedTable, planTables } from "../../src/database/move/moved-tables";
import { readTables } from "../../src/database/move/read-tables";
import { addRows, type Row, readBatches, removeRows } from "../../src/database/move/rows";
import { tables } from "../../src/resources/index";
import { createUnit } from "../../src/resources/organizational-units/store";
import { openByUrl } from "../folder-database";
import { makeFolder } from "../harness";
import { runs } from "../runs";
import { createTestDatabase, type TestDatabase } from "../test-database";

let folder: string;
let server: TestDatabase;
let sqlite: Database;
let postgres: Database;
let table: PlannedTable;
beforeAll(async () => {
  folder = makeFolder();
  server = await createTestDatabase();
  sqlite = await openByUrl(`sqlite:${join(folder, "any.db")}`);
  postgres = await openByUrl(server.url);
  const [roles] = planTables(tables, await sqlite.snapshot(readTables)).filter(({ name }) => name === "roles");
  if (!roles) throw new Error("There are no roles.");
  table = roles;
  for (const database of [sqlite, postgres]) {
    await database.change((db) => createUnit(db, { id: rootUnitId, name: "Root", parentId: null, createdAt: 1 }));
  }
});
afterAll(async () => {
  await Promise.all([sqlite.close(), postgres.close()]);
  await server.drop();
  rmSync(folder, { recursive: true });
});

/** Any text but for what no database of ours takes: the character of number 0, and halves of characters. */
const anyText = fc
  .oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("\\", "\t", "\n", "\r", "N", ".", '"', "'", ",", "\b", "\v", "\u0085", "😀") }),
  )
  .map((text) => text.replaceAll("\0", "").toWellFormed());
const anyRows = fc.uniqueArray(fc.record({ id: anyText, name: anyText, description: anyText, permissions: anyText }), {
  maxLength: 20,
  selector: ({ id }) => id,
});

async function rowsIn(database: Database): Promise<Row[]> {
  const found: Row[] = [];
  for await (const rows of readBatches(database.snapshot, table, null)) found.push(...rows);
  return found;
}

test("any text comes to PostgreSQL and back as it was, and in the same order", async () => {
  await fc.assert(
    fc.asyncProperty(anyRows, async (rows) => {
      const named = rows.map((row, index) => {
        const name = `${index} ${row.name}`;
        const folded = { name_lower: name, name_folded: name };
        return {
          seq: index + 1,
          ...row,
          name,
          ...folded,
          organizational_unit_id: rootUnitId,
          is_default: 0,
          created_at: 1,
        };
      });
      await sqlite.change(async (db) => {
        await removeRows(db, [table]);
        await addRows(db, table, named);
      });
      const before = await rowsIn(sqlite);
      await postgres.change(async (db) => {
        await db.deleteFrom("roles").execute();
        await addRows(db, table, before);
      });
      expect(before.toSorted(byName)).toEqual(named.toSorted(byName));
      expect(await rowsIn(postgres)).toEqual(before);
    }),
    runs(200),
  );
}, 120_000);

function byName(one: Row, other: Row): number {
  return String(one.name) < String(other.name) ? -1 : 1;
}
