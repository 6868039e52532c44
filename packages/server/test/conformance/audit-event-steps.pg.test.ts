import { afterAll, beforeAll, expect, test } from "bun:test";
import { parseFilter } from "@holdfast/api/conventions/filter";
import { auditEventFilters } from "@holdfast/api/resources/audit-events";
import type { Caller } from "../../src/access/caller";
import type { Slice } from "../../src/lists/list-source";
import { createTableSource } from "../../src/lists/table-source";
import type { Work } from "../../src/lists/work";
import { auditEventList } from "../../src/resources/audit-events/list-events";
import { openPlane, type Plane, root } from "../harness";

let plane: Plane;
let unit: string;

const caller: Caller = { tokenId: "t", kind: "service", userId: null, limitedAs: "t", unitId: root, roles: [] };

beforeAll(async () => {
  plane = await openPlane();
  const { token } = await plane.serviceToken("owner");
  const make = async (name: string, parent_id: string) =>
    (await plane.ask("/organizational-units", { method: "POST", token, body: { name, parent_id } })).body.id;
  unit = await make("Unit", root);
  for (let number = 0; number < 12; number++) {
    await make(`Below ${number}`, number % 3 === 0 ? unit : root);
    await plane.ask("/roles", { method: "POST", token, body: { name: `Role ${number}`, permissions: ["tasks:read"] } });
  }
});
afterAll(() => plane.close());

/** Reads the list forwards, backwards and from any place, looking through so many events in a statement. */
async function readWith(rowsPerStep: number, filterText: string, unitId: string) {
  const source = createTableSource({ ...auditEventList, rowsPerStep });
  const { filter } = parseFilter(filterText, auditEventFilters);
  const scope = { caller, unitId, permission: "audit-events:read" } as const;
  let steps = 0;
  const step = async () => {
    steps += 1;
  };
  const work: Work = { signal: new AbortController().signal, isLong: true, step };
  return plane.database.snapshot(async (db, { dataVersions }) => {
    const snapshot = { db, dataVersions, work };
    const listSnapshot = await source.listSnapshot(snapshot, scope, filter);
    const read = async (from: Slice["from"]) => source.read(snapshot, scope, filter, { listSnapshot, count: 4, from });
    const forwards: number[] = [];
    for (let page = await read({ skip: 0 }), last = page.at(-1); last; last = page.at(-1)) {
      forwards.push(...page.map(({ number }) => number));
      page = await read({ after: last.place });
    }
    const jumped = await read({ skip: 5 });
    const [first] = jumped;
    const before = first ? await read({ before: first.place }) : [];
    const numbers = (rows: typeof jumped) => rows.map(({ number }) => number);
    return { listSnapshot, forwards, jumped: numbers(jumped), before: numbers(before), steps };
  });
}

test.each([
  ["all events, from the root", "{}", "root"],
  ["some events, from the root", '{"operation":"create-role"}', "root"],
  ["all events of a unit", "{}", "unit"],
  ["events since a time, in a unit", '{"created_timestamp":{"$gte":"2026-11-15T00:00:00Z"}}', "unit"],
] as const)("T39: %s are the same in steps of 3 as at once", async (_name, filter, where) => {
  const unitId = where === "root" ? root : unit;
  const { steps: fewSteps, ...atOnce } = await readWith(1_000, filter, unitId);
  const { steps: manySteps, ...inSteps } = await readWith(3, filter, unitId);
  expect(inSteps).toEqual(atOnce);
  expect(atOnce.forwards.length).toBe(atOnce.listSnapshot.total);
  expect(atOnce.forwards).toEqual([...atOnce.forwards].sort((a, b) => b - a));
  expect(atOnce.jumped).toEqual(atOnce.forwards.slice(5, 9));
  expect(atOnce.before).toEqual(atOnce.forwards.slice(1, 5).reverse().slice(0, atOnce.before.length));
  expect(manySteps).toBeGreaterThan(fewSteps);
});
