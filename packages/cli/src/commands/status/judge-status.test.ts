import { expect, test } from "bun:test";
import { type EntityState, entityStates } from "@holdfast/api/resources/entity-words";
import { judge } from "./judge-status";

const states: readonly EntityState[] = ["never", "failing", "missed", "stale"];
const judgeCounts = (counts: Partial<Record<EntityState, number>>) => {
  const none = { never: 0, failing: 0, missed: 0, stale: 0, incomplete: 0, unwatched: 0, good: 0 };
  const entities = { ...none, ...counts };
  const needing = states.reduce((sum, state) => sum + entities[state], 0);
  return judge({ entities, needing, inTrouble: 0, states });
};

test("an item that is stale needs attention, whatever else is good", () => {
  expect(judgeCounts({ good: 3, unwatched: 1, stale: 2 })).toEqual({
    is_protected: false,
    needs_attention: true,
    verdict: "2 of 6 items need attention: 2 stale.",
  });
  expect(judgeCounts({ stale: 1 }).verdict).toBe("1 of 1 item needs attention: 1 stale.");
});

test("items that no monitor watches are not called protected, and need no attention", () => {
  expect(judgeCounts({ good: 1, unwatched: 60 })).toEqual({
    is_protected: false,
    needs_attention: false,
    verdict:
      "1 of 61 items is good and watched. No monitor watches 60 items: if the next backup does not come, you will not be told.",
  });
});

test("an incomplete item hides none that no monitor watches", () => {
  expect(judgeCounts({ good: 3, incomplete: 1, unwatched: 1 }).verdict).toBe(
    "3 of 5 items are good and watched. The last backup of 1 item is incomplete. No monitor watches 1 item: if the next backup does not come, you will not be told.",
  );
});

test("everything is protected only if every item is good and watched", () => {
  expect(judgeCounts({ good: 2 })).toEqual({
    is_protected: true,
    needs_attention: false,
    verdict: "Everything is protected: 2 items have a good backup and are watched.",
  });
  expect(entityStates.filter((state) => judgeCounts({ good: 1, [state]: 1 }).is_protected)).toEqual(["good"]);
});
