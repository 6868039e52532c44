import { expect, test } from "bun:test";
import fc from "fast-check";
import { compileTaskFilter } from "./filtered-fields";
import { formatPlace, lostPlace, parsePlace, placeAfter, type StreamPlace } from "./stream-place";
import type { ChangedTask, TaskChange } from "./task-changes";
import { eventsOf } from "./watch-stream";

const names = ["a", "b", "c", "d"] as const;
const watched = { matches: compileTaskFilter('{"status":"shown"}'), covers: () => true };

/** A task changes its status, or the client takes so many of the events that it is sent and is cut off. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ task: fc.constantFrom(...names), status: fc.constantFrom("shown", "hidden") }) },
  { weight: 2, arbitrary: fc.record({ taken: fc.nat({ max: 4 }) }) },
);

/** Tasks, their changes, and a client that holds what it was sent. */
function createWorld() {
  const changes: TaskChange[] = [];
  const tasks = new Map<string, ChangedTask>();
  const held = new Map<string, string>();
  const saidUpTo = new Map<string, number>();
  let place: StreamPlace = placeAfter(0);
  const wrong: string[] = [];
  const newestOf = (id: string) => changes.findLast(({ taskId }) => taskId === id)?.number ?? 0;

  return {
    wrong,
    change(id: string, status: string) {
      const number = changes.length + 1;
      changes.push({ number, position: number, taskId: id, before: tasks.get(id)?.fields ?? null });
      const fields = { status, organizational_unit_id: "unit" };
      tasks.set(id, { document: JSON.stringify({ id, number }), fields });
    },
    /** Sends what the client lacks, of which it takes the first few. */
    take(max: number) {
      const since = changes.filter(({ number }) => number > place.from);
      const read = {
        since: place.from,
        place: changes.length,
        isBroken: false,
        openTransaction: null,
        changes: since,
        tasks,
      };
      for (const { event, data, place: reached } of eventsOf(read, place, watched).slice(0, max)) {
        const { id }: { id: string } = JSON.parse(data);
        const expected = event === "match" ? !held.has(id) : held.has(id);
        const isRepeated = (saidUpTo.get(id) ?? 0) >= newestOf(id);
        wrong.push(...(expected ? [] : [`${event} of ${id}`]), ...(isRepeated ? [`${event} of ${id} again`] : []));
        saidUpTo.set(id, newestOf(id));
        event === "gone" ? held.delete(id) : held.set(id, data);
        place = parsePlace(formatPlace(reached)) ?? lostPlace;
      }
    },
    held: () => [...held].sort(),
    shown: () =>
      [...tasks]
        .filter(([, { fields }]) => fields.status === "shown")
        .map(([id, { document }]) => [id, document])
        .sort(),
  };
}

test("T33: a stream that is cut anywhere, again and again, neither loses nor repeats an event", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const world = createWorld();
      for (const one of steps) {
        "task" in one ? world.change(one.task, one.status) : world.take(one.taken);
      }
      world.take(names.length);
      expect(world.wrong).toEqual([]);
      expect(JSON.stringify(world.held())).toBe(JSON.stringify(world.shown()));
    }),
    { numRuns: 2_000 },
  );
});

test("what is no place is not read as one", () => {
  expect(["x", "1 2", "1 2 3 4"].map(parsePlace)).toEqual([undefined, undefined, undefined]);
});
