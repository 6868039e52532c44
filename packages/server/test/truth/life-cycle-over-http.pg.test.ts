import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { recountTasks } from "../recount";
import { openReportingPlane, type ReportingPlane } from "../reports/reporting-plane";
import { runs, size } from "../runs";
import { beginLife, type ModelAnswer, type Who } from "./life-model";
import { anyBeginning, modelStepsOverHttp } from "./model-steps";
import { answers, definedOf, errorOf, play, type Stage, sides } from "./play";

type Beginning = typeof anyBeginning extends fc.Arbitrary<infer One> ? One : never;
type Sending = () => Promise<{ status: number; body: { errors?: { error_code: number }[] } }>;

let plane: ReportingPlane;
let tokens: Record<Who, string>;

beforeAll(async () => {
  plane = await openReportingPlane();
  tokens = { a: plane.runner, b: (await plane.serviceToken("owner")).token };
});
afterAll(() => plane.close());

/** Sends the same so many times at once. All have to be answered alike. */
async function sendCopies(send: Sending, copies: number): Promise<ModelAnswer> {
  const heard = await Promise.all(Array.from({ length: copies }, send));
  const named = heard.map(({ status, body }) => answers[body.errors?.[0]?.error_code ?? 0] ?? nameOf(status));
  expect(named).toEqual(named.map(() => named[0] ?? "ok"));
  return named[0] ?? "ok";
}

function nameOf(status: number): ModelAnswer {
  expect([200, 201]).toContain(status);
  return "ok";
}

async function openStage(
  { about, sequence, canAbort, ageMs }: Beginning,
  copies: number,
): Promise<{ id: string; stage: Stage }> {
  const id = crypto.randomUUID();
  const first = {
    id,
    ...about,
    error: errorOf(about.status, about.outcome),
    sequence: sequence === 0 ? undefined : sequence,
    can_abort: canAbort,
    age_ms: ageMs,
    lease_seconds: 30,
  };
  const created = await Promise.all(Array.from({ length: copies }, () => plane.create(definedOf(first))));
  // One of them has made it, and the others have found it.
  expect(created.map(({ status }) => status).sort()).toEqual([...Array(copies - 1).fill(200), 201]);
  const read = async () => (await plane.read(id)).body;
  const stage: Stage = {
    now: () => plane.clock.now,
    report: (by, body) => sendCopies(() => plane.update(id, body, { token: tokens[by] }), copies),
    // Once: what waits has ended by the first, and the second finds nothing to abort.
    abort: () => sendCopies(() => plane.update(id, { status: "aborting" }, { token: tokens.b }), 1),
    lose: () => plane.pass(32),
    // Twice in a row it would be lost.
    silence: async () => plane.pass((await read()).liveness === "silent" ? 0 : 20),
    expire: () => {},
    step: plane.step,
    record: read,
  };
  return { id, stage };
}

test("T27: over HTTP, with up to eight duplicates of each report at once, a task is what the contract says", async () => {
  await fc.assert(
    fc.asyncProperty(anyBeginning, modelStepsOverHttp, fc.integer({ min: 1, max: 8 }), async (begun, what, copies) => {
      const { id, stage } = await openStage(begun, copies);
      const life = beginLife({ ...begun.about, ...begun }, stage.now());
      await play(stage, life, what, (_, seen) => {
        const { found, expected } = sides(seen);
        expect(found).toEqual(expected);
      });
      const lease = await plane.database.snapshot((db) =>
        db.selectFrom("task_leases").selectAll().where("task_id", "=", id).executeTakeFirstOrThrow(),
      );
      expect([lease.sequence, lease.attempt]).toEqual([life.sequence, life.attempt]);
      // So that the sweeps of the next one have no more to do.
      await plane.database.change((db) => db.deleteFrom("task_leases").where("task_id", "=", id).execute());
    }),
    runs(size({ default: 24, long: 400 })),
  );
  const { kept, counted } = await plane.database.snapshot(recountTasks);
  expect(kept).toEqual(counted);
}, 300_000);
