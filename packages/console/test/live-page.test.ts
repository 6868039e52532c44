import { describe, expect, test } from "bun:test";
import type { Page, Task, WatchEvent } from "@holdfast/client";
import fc from "fast-check";
import { takeEvents } from "../src/pages/tasks/live-page";

function task(id: string, progress = 0): Task {
  return {
    id,
    category: "backup",
    status: "in_progress",
    progress_percentage: progress,
    created_timestamp: "2026-11-15T12:00:00.000Z",
    type: "restic_backup",
    start_timestamp: null,
    end_timestamp: null,
    organizational_unit_id: "00000000-0000-0000-0000-000000000000",
    primary_entity: null,
    outcome: null,
    error: null,
    is_abortable: false,
    last_heartbeat_timestamp: null,
    last_progress_timestamp: null,
    _links: { self: { href: `/tasks/${id}`, type: "get", templated: false } },
  };
}

function pageOf(ids: readonly string[]): Page<Task> {
  const counts = { current_count: ids.length, total_count: ids.length, total_pages_count: 1, start: "1", limit: 50 };
  return { ...counts, items: ids.map((id) => task(id)), filter_applied: null, _links: {} };
}

function fresh(ids: readonly string[]) {
  return { page: pageOf(ids), fresh: new Set<string>(), changed: new Set<string>(), isOutdated: false };
}

describe("a page of tasks that events come to", () => {
  test("changes its own rows in place, and counts what is new elsewhere", () => {
    const live = takeEvents(fresh(["a", "b"]), [
      { event: "task", item: task("b", 40) },
      { event: "match", item: task("c") },
      { event: "match", item: task("d") },
      { event: "gone", id: "d" },
      { event: "gone", id: "a" },
    ]);
    expect(live.page.items.map(({ id, progress_percentage }) => [id, progress_percentage])).toEqual([
      ["a", 0],
      ["b", 40],
    ]);
    expect([[...live.fresh], [...live.changed]]).toEqual([["c"], ["a"]]);
  });

  test("takes what happened before the stream began: rows are renewed, and what is new counts", () => {
    const snapshot = { ...pageOf([]), items: [task("c"), task("a", 70)] };
    const live = takeEvents(fresh(["a", "b"]), [{ event: "snapshot", page: snapshot }]);
    expect(live.page.items.map(({ id, progress_percentage }) => [id, progress_percentage])).toEqual([
      ["a", 70],
      ["b", 0],
    ]);
    expect([[...live.fresh], [...live.changed]]).toEqual([["c"], []]);
  });

  test("takes a row back that matches again, and says when too much was missed", () => {
    const live = takeEvents(fresh(["a"]), [
      { event: "gone", id: "a" },
      { event: "match", item: task("a", 9) },
      { event: "reset" },
    ]);
    expect([[...live.changed], live.isOutdated, live.page.items[0]?.progress_percentage]).toEqual([[], true, 9]);
  });

  test("never moves, adds or removes a row, whatever comes", () => {
    const id = fc.constantFrom("a", "b", "c", "d", "e");
    const event: fc.Arbitrary<WatchEvent<Task>> = fc.oneof(
      id.map((one): WatchEvent<Task> => ({ event: "task", item: task(one, 5) })),
      id.map((one): WatchEvent<Task> => ({ event: "match", item: task(one, 6) })),
      id.map((one): WatchEvent<Task> => ({ event: "gone", id: one })),
      fc.constant<WatchEvent<Task>>({ event: "reset" }),
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const live = takeEvents(fresh(["a", "b", "c"]), events);
        expect(live.page.items.map((item) => item.id)).toEqual(["a", "b", "c"]);
        expect([...live.fresh].every((one) => ["d", "e"].includes(one))).toBe(true);
        expect([...live.changed].every((one) => ["a", "b", "c"].includes(one))).toBe(true);
      }),
    );
  });
});
