import { afterAll, beforeAll, expect, test } from "bun:test";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import type { ApiTokenV1 } from "@holdfast/api/resources/api-tokens";
import fc from "fast-check";
import type { Database } from "../../src/database/database";
import { createToken, revokeToken } from "../../src/resources/api-tokens/store";
import { openByUrl } from "../folder-database";
import { openPlane, type Plane } from "../harness";
import { createDice, elementAt } from "../random";
import { runs } from "../runs";
import { walkNext, walkPrev } from "./walk-while";

let plane: Plane;
let other: Database;
let token: string;
let roleId: string;

beforeAll(async () => {
  plane = await openPlane();
  other = await openByUrl(plane.databaseUrl);
  token = (await plane.serviceToken("owner")).token;
  roleId = await plane.roleId("viewer");
});
afterAll(async () => {
  await other.close();
  await plane.close();
});

const names = ["nightly", "Nightly", "NIGHTLY", "zeta", "Äpfel", "äpfel", "b", "a_%", "日本"];
/** Sort values of an item, with the id that breaks ties. */
const keys: Record<string, (item: ApiTokenV1) => [string | number, string]> = {
  name: (item) => [foldCase(item.name), item.id],
  expires_timestamp: (item) => [Date.parse(item.expires_timestamp), item.id],
};

const noPlace: [number, string] = [0, ""];

const anyWalk = fc.record({
  seed: fc.integer(),
  name: fc.constantFrom(...Object.keys(keys)),
  isDown: fc.boolean(),
  limit: fc.integer({ min: 1, max: 6 }),
  tokens: fc.integer({ min: 1, max: 14 }),
});

function isBefore([key, id]: [string | number, string], [otherKey, otherId]: [string | number, string]): boolean {
  return key < otherKey || (key === otherKey && id < otherId);
}

test("a walk in any order sees every token that was there all along once, nothing that came later, in order, there and back", async () => {
  await fc.assert(
    fc.asyncProperty(anyWalk, async ({ seed, name, isDown, limit, tokens }) => {
      const dice = createDice(seed);
      const unitId = await plane.addUnit(`A unit of its own ${crypto.randomUUID()}`);
      const make = async (database: Database) => {
        const { baseUrl } = plane.service;
        const wanted = { name: elementAt(names, dice(99)), unitId, life: 1000 * (10 + dice(4)), createdBy: null };
        const { id } = await database.change((db) =>
          createToken(db, plane.controlPlane.sealer, {
            baseUrl,
            now: plane.clock.now,
            token: { ...wanted, holder: { kind: "service", roleId } },
          }),
        );
        return id;
      };
      const first: string[] = [];
      for (let made = 0; made < tokens; made++) first.push(await make(plane.database));
      const changed = new Set<string>();
      const meanwhile = async () => {
        await make(other);
        const id = elementAt(first, dice(99));
        // One that changes beside what it is sorted by keeps its place.
        await other.change((db) => revokeToken(db, id, plane.clock.now));
        const gone = elementAt(first, dice(99));
        changed.add(gone);
        await other.change(async (db) => {
          await db.deleteFrom("api_tokens").where("id", "=", gone).execute();
        });
      };
      const ask = { token, unit: unitId };
      const pages = await walkNext(
        plane,
        `/api-tokens?limit=${limit}&sort=${isDown ? "-" : ""}${name}`,
        ask,
        meanwhile,
      );
      const [last] = pages.slice(-1);
      const full = [...pages].reverse().find(({ body }) => body.current_count > 0);
      const back = full && full === last ? await walkPrev(plane, full, ask, async () => {}) : [];
      const steady = first.filter((id) => !changed.has(id));
      for (const walked of [pages, back].filter((one) => one.length > 0)) {
        const items = walked.flatMap(({ body }): ApiTokenV1[] => body._embedded.items);
        const places = items.flatMap((item) => [keys[name]?.(item) ?? noPlace]);
        const inOrder = isDown ? places.reverse() : places;
        expect(inOrder.filter((place, at) => at > 0 && !isBefore(inOrder[at - 1] ?? place, place))).toEqual([]);
        const ids = items.map(({ id }) => id);
        expect(steady.filter((id) => !ids.includes(id))).toEqual([]);
        expect(ids.filter((id) => !first.includes(id))).toEqual([]);
        expect(new Set(walked.map(({ body }) => body.total_count))).toEqual(new Set([tokens]));
      }
    }),
    runs(12, 150),
  );
}, 120_000);
