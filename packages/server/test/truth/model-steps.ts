import fc from "fast-check";
import type { ModelStep, Who } from "./life-model";

const day = 86_400_000;
const who = fc.constantFrom<Who[]>("a", "a", "a", "b");
const attemptOffset = fc.constantFrom(undefined, undefined, 0, 0, 0, 1, 1, -1, 2);
/** Random v4 ids, one per run. */
const claims = ["0f0e0d0c-0b0a-4908-8706-050403020100", "1f0e0d0c-0b0a-4908-8706-050403020101"];
const claim = fc.constantFrom(undefined, undefined, undefined, ...claims);
const ends = [
  { status: "completed", outcome: undefined },
  { status: "completed", outcome: "success" },
  { status: "completed", outcome: "warning" },
  { status: "failed", outcome: undefined },
  { status: "failed", outcome: "error" },
  { status: "failed", outcome: "lost" },
  { status: "aborted", outcome: "cancelled" },
  { status: "aborted", outcome: "error" },
] as const;
const saidEnd = fc.constantFrom(...ends);
const saidStatus = fc.oneof(
  { arbitrary: fc.constant({ status: undefined, outcome: undefined }), weight: 3 },
  { arbitrary: fc.constant({ status: "in_progress", outcome: undefined } as const), weight: 3 },
  { arbitrary: saidEnd, weight: 2 },
);

const said = fc
  .record({
    by: who,
    attemptOffset,
    sequence: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
    about: saidStatus,
    percentage: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
    claim,
    ageMs: fc.constantFrom(0, 0, 5, 3_600_000, 7 * day),
  })
  .map(({ about, ...rest }) => ({ ...rest, ...about }));

/** Beginnings of a task. */
export const anyBeginning = fc.record({
  about: fc.oneof(
    { arbitrary: fc.constant({ status: "in_progress", outcome: undefined } as const), weight: 4 },
    { arbitrary: fc.constant({ status: "queued", outcome: undefined } as const), weight: 2 },
    { arbitrary: saidEnd, weight: 1 },
  ),
  sequence: fc.integer({ min: 0, max: 3 }),
  canAbort: fc.boolean(),
  ageMs: fc.constantFrom(0, 1_000, 7 * day),
});

const anyReport: fc.Arbitrary<ModelStep> = said.map((report) => ({ kind: "report", ...report }));
const anyAgain: fc.Arbitrary<ModelStep> = fc.nat(4).map((ago) => ({ kind: "again", ago }));
const anyHeartbeat: fc.Arbitrary<ModelStep> = fc.record({
  kind: fc.constant("heartbeat" as const),
  by: who,
  attemptOffset,
});

/** Anything that can happen over the wire. */
const overTheWire = [
  { arbitrary: anyReport, weight: 12 },
  { arbitrary: anyAgain, weight: 3 },
  { arbitrary: anyHeartbeat, weight: 3 },
  { arbitrary: fc.constant<ModelStep>({ kind: "abort" }), weight: 2 },
  { arbitrary: fc.constant<ModelStep>({ kind: "lose" }), weight: 4 },
  { arbitrary: fc.constant<ModelStep>({ kind: "silence" }), weight: 2 },
];

export const modelStepsOverHttp = fc.array(fc.oneof(...overTheWire), { minLength: 1, maxLength: 12 });

/** All of that, queued tasks that expire, and clocks that step. */
export const modelSteps = fc.array(
  fc.oneof(
    ...overTheWire,
    { arbitrary: fc.constant<ModelStep>({ kind: "expire" }), weight: 1 },
    {
      arbitrary: fc
        .constantFrom(1, 1_000, 3_600_000, -3_600_000, day, -day, 31 * day)
        .map((milliseconds): ModelStep => ({ kind: "time", milliseconds })),
      weight: 4,
    },
  ),
  { minLength: 1, maxLength: 30 },
);
