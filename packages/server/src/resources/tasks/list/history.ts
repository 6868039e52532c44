import { sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import { createCommitCache } from "../../../database/commit-cache";
import type { Queries, Stamp } from "../../../database/database";
import { prepareQuery } from "../../../database/prepared-query";
import { everyHour, movedTasks, newEntities } from "../../../database/watch-history";
import type { Snapshot } from "../../../lists/list-source";

/** How often each lane of writers had changed history by a moment: JSON, by the numbers of the lanes. */
type Mark = string;

/** What was changed between two moments. */
export interface Changes {
  /** The hours of whose tasks any was added, removed or changed in what it is found by. */
  hours: readonly number[];
  /** Whether any of them may have got another entity or unit. */
  areMoved: boolean;
  /** Whether there are entities that were not there before. */
  hasNewEntities: boolean;
}

interface ReadHistory {
  /** The later of two moments. */
  mark: Mark;
  /** What was changed between them; undefined where that can be anything. */
  changes: Changes | undefined;
}

interface Kept<Value> {
  value: Value;
  mark: Mark;
  access: Stamp;
}

/** How something is found for the first time, and how it is found from what it was before some hours were changed. */
export interface Finding<Value> {
  find(): Promise<Value>;
  renew?(value: Value, changes: Changes): Promise<Value>;
}

/** Keeps what was found out about tasks over commits, and finds again only what these have changed. */
export interface HistoryCache<Value> {
  get(snapshot: Snapshot, key: string, finding: Finding<Value>): Promise<Value>;
}

/** Reads what was changed since a moment, once for all who ask for the same. */
export type ReadChanges = (snapshot: Snapshot, since: Mark | undefined) => Promise<ReadHistory>;

interface ChangesRow {
  lanes: string;
  hours: string;
}

const writeChangesSince = (since: unknown, db: Queries) =>
  isPostgres(db)
    ? sql<ChangesRow>`
        select (select coalesce(json_object_agg(lane, version), '{}')::text from history_lanes) as lanes,
          (select coalesce(json_agg(distinct hour), '[]')::text from history_lanes join history_hours using (lane)
            where history_hours.version > coalesce((cast(${since} as json) ->> lane::text)::bigint, 0)) as hours`
    : sql<ChangesRow>`
        select (select json_group_object(lane, version) from history_lanes) as lanes,
          (select json_group_array(distinct hour) from history_lanes as known cross join history_hours as changed
            where changed.lane = known.lane
            and changed.version > coalesce(json_extract(${since}, '$."' || known.lane || '"'), 0)) as hours`;

const writeLanesNow = (db: Queries) =>
  isPostgres(db)
    ? sql<
        Pick<ChangesRow, "lanes">
      >`select coalesce(json_object_agg(lane, version), '{}')::text as lanes from history_lanes`
    : sql<Pick<ChangesRow, "lanes">>`select json_group_object(lane, version) as lanes from history_lanes`;

export function createReadChanges(): ReadChanges {
  const changesSince = prepareQuery<{ since: Mark }, ChangesRow>((slot, db) => writeChangesSince(slot("since"), db));
  const lanesNow = prepareQuery<Record<string, never>, Pick<ChangesRow, "lanes">>((_, db) => writeLanesNow(db));
  const memory = createCommitCache<ReadHistory>(100, () => {});
  return (snapshot, since) =>
    memory.getOrLoad(snapshot.stamp.tasks, since ?? "", async () => {
      if (since === undefined) {
        const [row] = await lanesNow.run(snapshot.db, {});
        return { mark: row?.lanes ?? "{}", changes: undefined };
      }
      const [row] = await changesSince.run(snapshot.db, { since });
      const { lanes: mark = "{}", hours: written = "[]" } = row ?? {};
      const noted: number[] = JSON.parse(written);
      if (!isEarlier(since, mark) || noted.includes(everyHour)) return { mark, changes: undefined };
      return {
        mark,
        changes: {
          hours: noted.filter((hour) => hour >= 0),
          areMoved: noted.includes(movedTasks),
          hasNewEntities: noted.includes(newEntities),
        },
      };
    });
}

/** Whether a moment is not after another one. Two snapshots may be read in the other order than they were begun in. */
function isEarlier(one: Mark, other: Mark): boolean {
  const [before, after]: Record<string, number>[] = [JSON.parse(one), JSON.parse(other)];
  return Object.entries(before ?? {}).every(([lane, version]) => version <= (after?.[lane] ?? 0));
}

/** Makes a memory that holds at most so much. What was not asked for the longest is forgotten first. */
export function createHistoryCache<Value>(
  readChanges: ReadChanges,
  capacity: number,
  weigh: (value: Value) => number = () => 1,
): HistoryCache<Value> {
  const kept = new Map<string, Kept<Value>>();
  let weight = 0;

  function forget(key: string): void {
    const known = kept.get(key);
    if (known && kept.delete(key)) weight -= weigh(known.value);
  }

  return {
    async get(snapshot, key, { find, renew }) {
      const { access } = snapshot.stamp;
      const known = kept.get(key);
      // Units that were moved, and a database that counts by itself, such as a replica, have nothing in common with before.
      const usable = known?.access === access ? known : undefined;
      const { mark, changes } = await readChanges(snapshot, usable?.mark);
      const value =
        usable === undefined || changes === undefined
          ? await find()
          : changes.hours.length === 0 && !changes.hasNewEntities
            ? usable.value
            : await (renew ? renew(usable.value, changes) : find());
      forget(key);
      kept.set(key, { value, mark, access });
      weight += weigh(value);
      for (const oldest of kept.keys()) {
        if (weight <= capacity) break;
        forget(oldest);
      }
      return value;
    },
  };
}
