import { afterAll, beforeAll, test } from "bun:test";
import fc from "fast-check";
import { openPlane, type Plane } from "../harness";
import { runs } from "../runs";
import { anyAsk, askOf } from "./asks";
import { anyChange, makeChange } from "./changes";
import { checkList } from "./check-list";
import { anySketch, buildWorld } from "./world";

let plane: Plane;
beforeAll(async () => {
  plane = await openPlane();
});
afterAll(() => plane.close());

test("T10 T12 every list is what the model says: items, order, counts, roles shown, for any caller, unit, filter and limit", async () => {
  await fc.assert(
    fc.asyncProperty(anySketch, fc.array(anyAsk, { minLength: 10, maxLength: 20 }), async (sketch, asks) => {
      const world = await buildWorld(plane, sketch);
      for (const ask of asks) await checkList(plane, world, askOf(world, ask));
    }),
    runs(80, 250),
  );
}, 120_000);

test("T7 T10 lists follow at once when roles are taken, users disabled and tasks moved between units", async () => {
  const steps = fc.array(fc.tuple(anyChange, anyAsk, anyAsk), { minLength: 4, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(anySketch, steps, async (sketch, changes) => {
      const world = await buildWorld(plane, sketch);
      for (const [change, ...asks] of changes) {
        await makeChange(plane, world, change);
        for (const ask of asks) await checkList(plane, world, askOf(world, ask));
      }
    }),
    runs(80, 250),
  );
}, 120_000);
