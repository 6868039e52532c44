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
    verdict: "2 of 6 items need attention: 2 stale.",
  });
  expect(judgeCounts({ stale: 1 }).verdict).toBe("1 of 1 item needs attention: 1 stale.");
});

test("items that are merely not watched are named next to the good answer", () => {
  expect(judgeCounts({ good: 1, unwatched: 2 })).toEqual({
    is_protected: true,
    verdict: "Everything is protected: 3 items have a good backup. No monitor watches 2 of them.",
  });
});

test("every state but the good ones keeps the answer from being that everything is protected", () => {
  const plain = entityStates.filter((state) => judgeCounts({ good: 1, [state]: 1 }).verdict.startsWith("Everything"));
  expect(plain).toEqual(["unwatched", "good"]);
});
