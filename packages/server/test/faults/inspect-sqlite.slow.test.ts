import { Database as File } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { closeSync, cpSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../harness";
import { inspect, sound } from "./inspect-sqlite";
import { startWriter } from "./writer";
import { nothing, type Told } from "./writer-steps";

const written = makeFolder();
let told: Told;

beforeAll(async () => {
  told = await startWriter({ folder: written, seed: 1, count: 12 }).ended();
});

afterAll(() => rmSync(written, { recursive: true }));

/** Plants a fault in a copy of what was written, and gives the names of what the inspection finds wrong. */
async function findIn(plant: (file: File, path: string) => void): Promise<string[]> {
  const folder = makeFolder();
  const path = join(folder, "holdfast.db");
  cpSync(written, folder, { recursive: true });
  const file = new File(path);
  plant(file, path);
  file.close();
  const { findings } = await inspect(folder, nothing, told);
  rmSync(folder, { recursive: true });
  const { integrity, wrongCounts, astray } = findings;
  return [
    ...(Bun.deepEquals(integrity, sound.integrity) ? [] : ["integrity"]),
    ...(wrongCounts.length === 0 ? [] : ["counts"]),
    ...(astray.length === 0 ? [] : ["astray"]),
  ];
}

test("the inspection finds what a writer that ended in peace has done as it was", async () => {
  const round = ["mint", "insert", "insert", "finish", "revoke", "delete"];
  expect(told.steps.map(({ kind }): string => kind)).toEqual([...round, ...round]);
  expect(told.acknowledged).toBe(12);
  expect(await findIn(() => {})).toEqual([]);
});

test.each([
  ["a lost task", "delete from tasks where seq = (select max(seq) from tasks)", ["counts", "astray"]],
  ["a task with another content", "update tasks set document = replace(document, 'web-0', 'web-1')", ["astray"]],
  ["a lost token", "delete from api_tokens", ["astray"]],
  ["a token that is no longer revoked", "update api_tokens set revoked_at = null", ["astray"]],
  ["a total that is off by one", "update task_totals set count = count + 1 where count > 0", ["counts"]],
  ["a day that is off by one", "update task_days set count = count - 1 where count > 0", ["counts"]],
  ["a quarter of an hour that is missing", "delete from task_quarters", ["counts"]],
  ["a week of an entity that is missing", "delete from entity_weeks", ["counts"]],
])("the inspection sees %s", async (_fault, sql, expected) => {
  expect(await findIn((file) => file.run(sql))).toEqual(expected);
});

test("the inspection sees an index that has lost its entries", async () => {
  const faults = await findIn((file, path) => {
    const sql =
      "select (rootpage - 1) * page_size as at from sqlite_schema, pragma_page_size where name = 'tasks_in_order'";
    const { at = 0 } = file.query<{ at: number }, []>(sql).get() ?? {};
    const opened = openSync(path, "r+");
    // The number of entries in a page stands behind its kind and its first gap (https://sqlite.org/fileformat.html).
    writeSync(opened, new Uint8Array(2), 0, 2, at + 3);
    closeSync(opened);
  });
  expect(faults).toEqual(["integrity"]);
});
