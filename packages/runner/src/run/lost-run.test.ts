import { expect, test } from "bun:test";
import { lossOf } from "./lost-run";

const header = {
  format: 1,
  task_id: "11111111-2222-4333-8444-555555555555",
  base_url: "http://holdfast.test",
  unit: null,
  boot_id: "boot-1",
} as const;
const begin = {
  operation: "create",
  body: { category: "backup", type: "restic_backup" },
  sequence: 1,
  wall_ms: 1_000_000,
  monotonic_ms: 50_000,
} as const;
const contents = { header, pending: [begin], begin, newest: begin, last: 1, hasEnd: false };
const now = { wallMs: 1_100_000, monotonicMs: 150_000, bootId: "boot-1" };

test("a killed runner has lived until its last sign, and its host is up", () => {
  const { at, error } = lossOf({ contents, lastSignMs: 1_030_000 }, now);
  expect(at).toEqual({ wallMs: 1_030_000, monotonicMs: 80_000 });
  expect([error.code, error.message, error.remedy]).toEqual([
    "runner_lost",
    expect.stringContaining("The runner was killed"),
    expect.stringMatching(/^The host itself is up\. .*run it again\.$/),
  ]);
});

test("after a restart of the host, that is what is said, and the clock of the wall counts", () => {
  const { at, error } = lossOf({ contents, lastSignMs: 1_030_000 }, { ...now, monotonicMs: 5_000, bootId: "boot-2" });
  expect(at).toEqual({ wallMs: 1_030_000, monotonicMs: null });
  expect(error.message).toContain("lost power or was restarted");
});

test("a clock that was set back or forth puts the end neither before the last report nor after now", () => {
  expect(lossOf({ contents, lastSignMs: 900_000 }, now).at).toEqual({ wallMs: 1_000_000, monotonicMs: 50_000 });
  expect(lossOf({ contents, lastSignMs: 2_000_000 }, now).at).toEqual({ wallMs: 1_100_000, monotonicMs: 150_000 });
});
