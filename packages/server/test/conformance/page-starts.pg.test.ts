import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { deleteTasks } from "../change-tasks";
import { openPlane, type Plane } from "../harness";
import { runs } from "../runs";

let plane: Plane;
let token: string;

const base = Date.parse("2026-11-01T22:00:00.000Z");
/** All within one hour, which pages are counted by; several share each moment, so that the id decides. */
const created = (n: number) => new Date(base + ((n * 7) % 100) * 1_000).toISOString();

beforeAll(async () => {
  plane = await openPlane();
  token = (await plane.serviceToken("viewer")).token;
  await plane.addTasks(Array.from({ length: 450 }, (_, n) => ({ created_timestamp: created(n) })));
});
afterAll(() => plane.close());

const idsOf = async (query: string): Promise<string[]> =>
  (await plane.ask(`/tasks?${query}`, { token })).body._embedded.items.map(({ id }: { id: string }) => id);

test("T39: pages of a busy hour are right in whichever order and size they are asked for, also after changes", async () => {
  const anyPage = fc.record({
    limit: fc.constantFrom(1, 7, 50, 100),
    at: fc.noBias(fc.nat(999)),
  });
  const anyChange = fc.constantFrom("add" as const, "remove" as const);
  const changes = {
    add: (n: number) => plane.addTasks([{ created_timestamp: created(n) }]),
    remove: (_: number, id: string) => plane.database.change((db) => deleteTasks(db, [id])),
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyPage, { minLength: 8, maxLength: 12 }),
      anyChange,
      fc.nat(99),
      async (pages, change, n) => {
        const expectRight = async () => {
          const all = await idsOf("limit=1000");
          for (const { limit, at } of pages) {
            const start = 1 + Math.floor(((at / 1000) * all.length) / limit);
            const shown = all.slice((start - 1) * limit, start * limit);
            expect([limit, start, await idsOf(`limit=${limit}&start=${start}`)]).toEqual([limit, start, shown]);
          }
          return all;
        };
        const all = await expectRight();
        await changes[change](n, all[n] ?? "");
        await expectRight();
      },
    ),
    runs(3, 100),
  );
});
