import { describe, expect, test } from "bun:test";
import { brokenNames, viewPages } from "@holdfast/api/resources/view-pages";
import fc from "fast-check";
import { parseSearch, pickTexts, stringifySearch } from "../src/data/search-params";
import { isNarrowed, sizeOf } from "../src/pages/tasks/task-search";

const now = Date.parse("2026-11-15T12:00:00.000Z");
const { tasks } = viewPages;

describe("the address of the list of tasks", () => {
  test("becomes a filter, value by value", () => {
    const search = { outcome: "error,lost", q: "db-02", since: "7d", error: "wrong_password", unit_only: "yes" };
    expect(tasks.filterOf(search, { now, unitId: "u1" })).toEqual({
      outcome: { $in: ["error", "lost"] },
      "primary_entity.value": { $contains: "db-02" },
      "error.code": { $in: ["wrong_password"] },
      organizational_unit_id: { $eq: "u1" },
      created_timestamp: { $gte: "2026-11-08T12:00:00.000Z" },
    });
  });

  test("with what cannot be read becomes a filter without it, and says what that was", () => {
    const search = { outcome: "error,wonderful", since: "tomorrow", from: "never", size: "7" };
    expect(brokenNames(tasks, search)).toEqual(["outcome", "from", "since"]);
    expect(tasks.filterOf(search, { now })).toEqual({ outcome: { $in: ["error"] } });
    expect(sizeOf(search)).toBe(50);
  });

  test("keeps a text that looks like a number or JSON as it is", () => {
    expect(parseSearch("?q=123&type=%7B%22a%22%3A1%7D")).toEqual({ q: "123", type: '{"a":1}' });
  });

  test("is the same after it was written and read", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...tasks.names), text), (search) => {
        expect(pickTexts(parseSearch(stringifySearch(search)), tasks.names)).toEqual(search);
        expect(isNarrowed(search)).toBe(Object.keys(search).length > 0);
      }),
    );
  });
});
