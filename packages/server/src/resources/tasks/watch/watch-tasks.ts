import { ApiError } from "@holdfast/api/conventions/api-error";
import type { Filter } from "@holdfast/api/conventions/filter";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { TaskFilterField } from "@holdfast/api/resources/tasks";
import type { Database, DataVersions } from "../../../database/database";
import type { EventQueue } from "./event-queue";
import type { FeedTick, StreamHolders, TaskFeed } from "./feed";
import { compileTaskFilter } from "./filtered-fields";
import { formatPlace, lostPlace, newestKnown, placeAfter, type StreamPlace } from "./stream-place";
import { newestPlace, type ReadChanges, readChanges } from "./task-changes";
import { endEvent, eventsOf, type WatchEvent, writeEvent } from "./watch-stream";

export interface WatchParts {
  database: Database;
  feed: TaskFeed;
  clock: () => number;
  /** Refuses a caller who has lost the right to watch; gives until when the right is good, where it ends. */
  requireRights: (dataVersions: DataVersions) => Promise<number | undefined>;
  /** The first page of the list, as JSON. */
  readFirstPage: () => Promise<string>;
  /** Writes a place so that only this control plane can read it. */
  seal: (place: string) => string;
  nameLinks: (body: string) => string;
  /** Called when the client takes nothing any more. */
  onStuck: () => void;
}

/** Request for a stream. */
export interface WatchRequest {
  holders: StreamHolders;
  unitId: string;
  /** Purpose of the seal of event ids: the same for streams of the same unit, filter and version. */
  purpose: string;
  dataVersions: DataVersions;
  filter: Filter<TaskFilterField>;
  /** The place to go on from. */
  since: StreamPlace | undefined;
  wantsFirstPage: boolean;
  goodUntil: number | undefined;
  /** Aborted when the stream has ended. */
  left: AbortSignal;
}

/** Maximum number of times that a page is read again because tasks have changed meanwhile. */
const maxPageReads = 3;
/** Minimum interval between events, in milliseconds: so no task is said twice in that time. */
const pause = 1_000;

/**
 * Sends what happens to tasks into a queue, until its client leaves or may not watch any more. What it begins with is in
 * the queue when this has finished; what goes wrong with that is thrown.
 */
export async function watchTasks(parts: WatchParts, request: WatchRequest, queue: EventQueue): Promise<void> {
  const { database, clock, feed } = parts;
  const { unitId, left } = request;
  const matches = compileTaskFilter(request.filter);
  const startedAt = performance.now();
  let commentedAt = startedAt;
  let saidAt = startedAt;
  let { goodUntil, dataVersions: checked } = request;
  let units = await unitsBelow(parts, unitId, checked);
  let place = lostPlace;
  let isBusy = true;

  const covers = (one: string) => units === undefined || units.has(one);
  const sealed = (at: StreamPlace) => parts.seal(formatPlace(at));
  const say = (event: WatchEvent, at: StreamPlace) => queue.push(writeEvent(event, sealed(at)));

  function isUnchecked(dataVersions: DataVersions): boolean {
    const isNew = dataVersions.access !== checked.access || dataVersions.sessions !== checked.sessions;
    return isNew || (goodUntil !== undefined && clock() >= goodUntil);
  }

  /** Nothing is said before this: rights that have ended by now count no more, and units are where they are now. */
  async function confirmRights(): Promise<void> {
    const dataVersions = await database.dataVersions();
    if (!isUnchecked(dataVersions)) return;
    goodUntil = await parts.requireRights(dataVersions);
    units = await unitsBelow(parts, unitId, dataVersions);
    checked = dataVersions;
  }

  async function sayFirstPage(): Promise<void> {
    let page = "";
    let before = -1;
    // First the place, then the page. What happens in between would be said again, so there should be nothing.
    for (let reads = 0; reads < maxPageReads; reads++) {
      const newest = await newestPlace(database);
      if (newest === before) break;
      before = newest;
      page = await parts.readFirstPage();
    }
    await confirmRights();
    place = placeAfter(before);
    say({ event: "snapshot", data: page }, place);
  }

  async function take(read: ReadChanges): Promise<void> {
    await confirmRights();
    if (read.isBroken) {
      say({ event: "reset", data: "{}" }, lostPlace);
      await sayFirstPage();
    } else {
      const from = place;
      const events = feed.shareEvents(read, `${checked.access} ${formatPlace(from)} ${request.purpose}`, () =>
        eventsOf(read, from, { matches, covers })
          .map((event) => writeEvent({ ...event, data: parts.nameLinks(event.data) }, sealed(event.place)))
          .join(""),
      );
      place = placeAfter(read.place);
      if (events.length === 0) return;
      queue.push(events);
    }
    saidAt = performance.now();
  }

  const readFrom = ({ from }: StreamPlace) => readChanges(database, from);

  /** Says why there is no more, where that is for good; otherwise the client comes back, and goes on from where it was. */
  function finish(error: unknown): void {
    if (error instanceof ApiError && error.status < 500) say(endEvent(error.body), place);
    queue.end();
  }

  async function goOn({ read }: FeedTick): Promise<void> {
    isBusy = true;
    try {
      // Changes that were read for all streams suffice for those that have got as far as where they begin.
      await take(read.isBroken || read.since > place.from ? await readFrom(place) : read);
    } catch (error) {
      finish(error);
    }
    isBusy = false;
  }

  function follow(tick: FeedTick, now: number): void {
    if (isUnchecked(tick.dataVersions)) confirmRights().catch(finish);
    const { place: newest, isBroken } = tick.read;
    const known = newestKnown(place);
    const isBehind = newest > known || (isBroken && newest < known);
    if (isBehind && !isBusy && now - saidAt >= pause) void goOn(tick);
  }

  function onTick(tick: FeedTick | undefined): void {
    const now = performance.now();
    if (queue.isStuck()) {
      queue.cut();
      parts.onStuck();
    } else if (now - startedAt > feed.limits.life) queue.end();
    if (tick && !left.aborted) follow(tick, now);
    if (now - commentedAt < feed.limits.commentEvery) return;
    commentedAt = now;
    queue.push(": still here\n\n");
  }

  const stop = feed.follow(request.holders, { onTick, onClose: queue.end });
  left.addEventListener("abort", stop);
  if (left.aborted) stop();
  queue.push(`retry: ${2000 + Math.floor(3000 * Math.random())}\n\n`);
  try {
    if (request.since) {
      place = request.since;
      await take(await readFrom(place));
    } else if (request.wantsFirstPage) await sayFirstPage();
    else place = placeAfter(await newestPlace(database));
  } catch (error) {
    queue.end();
    throw error;
  }
  isBusy = false;
}

/** The ids of a unit and of those below it; undefined for the root, which everything is below. */
async function unitsBelow(
  { database, feed }: Pick<WatchParts, "database" | "feed">,
  unitId: string,
  { access }: DataVersions,
): Promise<ReadonlySet<string> | undefined> {
  if (unitId === rootUnitId) return undefined;
  return feed.unitsBelow.getOrLoad(access, unitId, () =>
    database.snapshot(async (db) => {
      const rows = await db
        .selectFrom("organizational_unit_paths")
        .select("unit_id")
        .where("ancestor_id", "=", unitId)
        .execute();
      return new Set(rows.map(({ unit_id }) => unit_id));
    }),
  );
}
