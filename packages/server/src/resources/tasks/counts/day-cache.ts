import { LRUCache } from "lru-cache";
import { type CountUse, createCommitCache } from "../../../database/commit-cache";
import type { Snapshot } from "../../../lists/list-source";
import { type DayVersions, readDayVersions } from "./day-versions";

/** A part of a day that something is counted in. */
export interface DayPart {
  day: number;
  /** Tells it from other parts of the day. */
  name: string;
}

/**
 * Keeps what was counted of parts of days, each under the version of its day. Most reports change tasks of today, so the counts of
 * all other days are kept whatever is reported.
 */
export interface DayCache<Value> {
  versions(snapshot: Snapshot): Promise<DayVersions>;
  /**
   * Gives the value of each part, in order. Those that are not kept are loaded, in one call, by name; a part without a value is
   * empty. The query names everything that the values depend on besides their day.
   */
  read<Part extends DayPart>(
    snapshot: Snapshot,
    query: string,
    parts: readonly Part[],
    load: (missing: readonly Part[]) => Promise<ReadonlyMap<string, Value>>,
  ): Promise<Value[]>;
}

interface Kept<Value> {
  version: string;
  value: Value;
}

const bytesOfPart = 100;

/** Creates a cache of about so many bytes. Queries that nobody sends any more are the first to go. */
export function createDayCache<Value extends object | number>(
  maxBytes: number,
  { empty, bytesOf, countUse }: { empty: Value; bytesOf: (value: Value) => number; countUse: CountUse },
): DayCache<Value> {
  const versions = createCommitCache<DayVersions>(2, () => {});
  const queries = new LRUCache<string, ReadonlyMap<string, Kept<Value>>>({
    maxSize: maxBytes,
    sizeCalculation: (parts, query) =>
      [...parts.values()].reduce((sum, { value }) => sum + bytesOfPart + bytesOf(value), bytesOfPart + query.length),
  });
  const readVersions = ({ db, dataVersions }: Snapshot) =>
    versions.getOrLoadAlone(dataVersions.tasks, "days", () => readDayVersions(db));

  return {
    versions: readVersions,
    async read(snapshot, query, parts, load) {
      const days = await readVersions(snapshot);
      // A unit that is moved changes what a query finds, on every day.
      const versionOf = ({ day }: DayPart) => `${snapshot.dataVersions.units} ${days.get(day)}`;
      const known = queries.get(query) ?? new Map<string, Kept<Value>>();
      const missing = parts.filter((part) => known.get(part.name)?.version !== versionOf(part));
      countUse(missing.length === 0 ? "hit" : "miss");
      if (missing.length === 0) return parts.map(({ name }) => known.get(name)?.value ?? empty);
      const loaded = await load(missing);
      const read = missing.map((part): [string, Kept<Value>] => [
        part.name,
        { version: versionOf(part), value: loaded.get(part.name) ?? empty },
      ]);
      // Others may have read more of the same query meanwhile.
      queries.set(query, new Map([...(queries.get(query) ?? []), ...read]));
      const fresh = new Map(read);
      return parts.map(({ name }) => (fresh.get(name) ?? known.get(name))?.value ?? empty);
    },
  };
}
