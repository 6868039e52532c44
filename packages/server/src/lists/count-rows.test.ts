import { afterAll, expect, test } from "bun:test";
import { type SqlBool, sql } from "kysely";
import { openPlane } from "../../test/harness";
import { countRows } from "./count-rows";

const plane = await openPlane();
afterAll(() => plane.close());

test("T39: numbers with large gaps are counted in as many steps as their rows need", async () => {
  const keys = [1, 2, 3, 4, 1_000_000, 2_000_000_000, 2_000_000_001];
  await plane.database.change((db) =>
    db
      .insertInto("entities")
      .values(keys.map((key) => ({ ...entity(String(key)), key })))
      .execute(),
  );
  let steps = 0;
  const work = {
    signal: new AbortController().signal,
    isLong: true,
    step: async () => {
      steps += 1;
    },
  };
  const counted = await plane.database.snapshot((db, { dataVersions }) =>
    countRows(
      { db, dataVersions, work },
      {
        table: "entities",
        arrival: sql.ref("entities.key"),
        visible: sql<SqlBool>`entities.key < 2000000001`,
        matching: sql<SqlBool>`entities.key > 2`,
        rowsPerStep: 3,
      },
    ),
  );
  expect({ ...counted, steps }).toEqual({ total: 5, watermark: 2_000_000_000, furthest: null, steps: 2 });
});

function entity(id: string) {
  return { id, type: "host", value: id, id_folded: id, value_folded: id };
}
