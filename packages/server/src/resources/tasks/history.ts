import { sql } from "kysely";
import { isPostgres } from "../../database/adapter";
import { createCommitCache } from "../../database/commit-cache";
import type { Queries, Stamp } from "../../database/database";
import { prepareQuery } from "../../database/prepared-query";
import { everyHour, movedTasks } from "../../database/watch-history";
import type { Snapshot } from "../../lists/list-source";

/** How often each lane of writers had changed history by a moment: JSON, by the numbers of the lanes. */
type Mark = string;

/** What was changed between two moments. */
interface Changes {
  /** The later of them. */
  mark: Mark;
  /** The hours of whose tasks any was added, removed or changed in what it is found by; undefined where it can be any hour. */
  hours: readonly number[] | undefined;
  /** Whether any of them may have got another entity or unit. */
  areMoved: boolean;
}

interface Kept<Value> {
  value: Value;
  mark: Mark;
  access: Stamp;
}

/** How something is found for the first time, and how it is found from what it was before some hours were changed. */
export interface Finding<Value> {
  find(): Promise<Value>;
  renew?(value: Value, hours: readonly number[], areMoved: boolean): Promise<Value>;
}

/** Keeps what was found out about tasks over commits, and finds again only what these have changed. */
export interface HistoryCache<Value> {
  get(snapshot: Snapshot, key: string, finding: Finding<Value>): Promise<Value>;
}

/** Reads what was changed since a moment, once for all who ask for the same. */
export type ReadChanges = (snapshot: Snapshot, since: Mark | undefined) => Promise<Changes>;

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
  const memory = createCommitCache<Changes>(100, () => {});
  return (snapshot, since) =>
    memory.getOrLoad(snapshot.stamp.tasks, since ?? "", async () => {
      if (since === undefined) {
        const [row] = await lanesNow.run(snapshot.db, {});
        return { mark: row?.lanes ?? "{}", hours: undefined, areMoved: true };
      }
      const [row] = await changesSince.run(snapshot.db, { since });
      const { lanes = "{}", hours: written = "[]" } = row ?? {};
      const changed: number[] = JSON.parse(written);
      const isOfHours = isEarlier(since, lanes) && !changed.includes(everyHour);
      const hours = isOfHours ? changed.filter((hour) => hour !== movedTasks) : undefined;
      return { mark: lanes, hours, areMoved: changed.includes(movedTasks) };
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
      const { mark, hours, areMoved } = await readChanges(snapshot, usable?.mark);
      const value =
        usable === undefined || hours === undefined
          ? await find()
          : hours.length === 0
            ? usable.value
            : await (renew ? renew(usable.value, hours, areMoved) : find());
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
