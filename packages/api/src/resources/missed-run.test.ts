import { expect, test } from "bun:test";
import { describeMissedRun } from "./missed-run";

test("a missed run is described with times that people read", () => {
  const [expected, ended] = ["2026-11-16T02:00:00.000Z", "2026-11-16T03:00:05.250Z"].map((one) => Date.parse(one));
  expect(describeMissedRun(expected ?? 0, ended ?? 0)).toBe(
    "A run was expected at 2026-11-16 02:00 UTC, and none had begun by 2026-11-16 03:00:05 UTC, when its grace ended.",
  );
});
