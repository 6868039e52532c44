import { expect, test } from "bun:test";
import { type EntityState, entityStates } from "@holdfast/api/resources/entity-words";
import { judgeLastDay, judgeProtection } from "../src/pages/overview/judge-protection";

const judge = (states: Partial<Record<EntityState, number>>, { mutedCount = 0, troubledMonitors = 0 } = {}) => {
  const counts = entityStates.flatMap((state) => (states[state] ? [{ state, count: states[state] }] : []));
  return judgeProtection({ counts, mutedCount, troubledMonitors });
};

test("one good item among sixty that no monitor watches is not a green answer", () => {
  expect(judge({ good: 1, unwatched: 60 })).toEqual({
    mark: "incomplete",
    text: "1 of 61 protected items has a good backup and is watched",
    detail: "",
    count: 0,
    unwatched: 60,
  });
  expect(judge({ unwatched: 3 })).toMatchObject({
    mark: "incomplete",
    text: "No monitor watches any of the 3 protected items",
    unwatched: 3,
  });
});

test("the answer is green only if every item is good and watched", () => {
  expect(judge({ good: 2 })).toEqual({
    mark: "good",
    text: "All 2 protected items have a good backup and are watched",
    detail: "",
    count: 0,
    unwatched: 0,
  });
  expect(entityStates.filter((state) => judge({ good: 5, [state]: 1 }).mark === "good")).toEqual(["good"]);
  // A state that is newer than this console.
  const newer = { state: "newer" as EntityState, count: 1 };
  const counts = [{ state: "good" as const, count: 5 }, newer];
  expect(judgeProtection({ counts, mutedCount: 0, troubledMonitors: 0 }).mark).toBe("incomplete");
  expect(judge({}).mark).toBe("neutral");
});

test("monitors whose run was missed or failed keep the answer from being green", () => {
  expect(judge({ good: 5 }, { troubledMonitors: 2 })).toEqual({
    mark: "error",
    text: "2 monitors need attention: a run was missed or failed",
    detail: "",
    count: 2,
    list: { to: "/monitors", state: "missed,failed" },
    unwatched: 0,
  });
});

test("muted items are not counted, which is said", () => {
  expect(judge({ good: 5 }, { mutedCount: 3 }).detail).toBe("3 muted items are not counted");
  expect(judge({ never: 1, good: 5 }, { mutedCount: 1 })).toEqual({
    mark: "error",
    text: "1 of 6 protected items needs attention",
    detail: "1 never backed up · 1 muted item is not counted",
    count: 1,
    list: { to: "/entities", state: "never,failing,missed,stale" },
    unwatched: 0,
  });
});

test("a day without failures is no green answer: it does not say that anything is protected", () => {
  const time = { start_timestamp: "2026-11-15T00:00:00Z", end_timestamp: "2026-11-16T00:00:00Z" };
  expect(judgeLastDay([{ ...time, outcome: "success", count: 7 }])).toMatchObject({
    mark: "neutral",
    text: "No failures in the last 24 hours: 7 tasks ended",
  });
  expect(judgeLastDay([]).mark).toBe("incomplete");
  expect(judgeLastDay([{ ...time, outcome: "lost", count: 1 }]).mark).toBe("error");
});
