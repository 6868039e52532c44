import type { Client, Pool } from "pg";
import type { Moment, Notify, Queries } from "../database";
import { type DomainVersions, stampsOf } from "../domains";
import { DatabaseAway } from "../errors";
import type { ReplicaLag } from "../figures";
import { inTime } from "../in-time";
import { reasonOf } from "./errors";
import { noScans } from "./no-scans";
import type { PoolOptions, Route, Routes } from "./routes";
import { versionsColumn } from "./versions-column";
import type { PrimaryStatus } from "./watch-primary";

/** A replica that lists are read from while it keeps up. */
export interface Replica {
  /** Notes how far the log of the primary has come by now. */
  notePrimary(beat: PrimaryStatus): void;
  /** The way to read from it, where it is not too far behind the primary; else nothing. */
  whenNear(): NearReplica | undefined;
  /** How far it is behind; null where it cannot be used, or has followed another primary. */
  lag(): ReplicaLag | null;
  /** Its connections, while it can be used. */
  pool(): Pool | undefined;
  stop(): Promise<void>;
}

export interface NearReplica {
  queries: Queries;
  /** The moment that a snapshot shows which was begun with `askReplica`. Fails where it has not come to a position yet. */
  momentOf(answer: ReplicaAnswer, position: string | null): Moment;
}

export interface ReplicaOptions {
  routes: Routes;
  pool: PoolOptions;
  queriesOn: (pool: Pool) => Queries;
  /** The primary's: positions in the logs of two databases cannot be compared. */
  identity: string;
  /** How far behind it may be, in milliseconds. */
  longestLag: number;
  notify: Notify;
}

/** What a replica says when a snapshot is begun. */
export interface ReplicaAnswer {
  /** How far it had come before: all of that is in the snapshot. Empty where it is no replica. */
  snapshot: string;
  /** Of the snapshot itself. */
  versions: DomainVersions;
  /** How far it had received the log afterwards: nothing beyond that is in the snapshot. */
  position: string;
}

/**
 * Begins a snapshot. How far the replica has come is asked in a transaction of its own, because any question inside the
 * second one is answered after the snapshot was taken.
 */
export const askReplica = `
  begin;
  select set_config('holdfast.replayed',
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text else '' end, false);
  commit;
  begin isolation level repeatable read, read only; ${noScans};
  select current_setting('holdfast.replayed') as snapshot, coalesce(pg_last_wal_receive_lsn()::text, '') as position,
    ${versionsColumn}`;

const askIdentity = `
  select (select system_identifier from pg_control_system()) || ' ' || oid as identity,
    current_setting('wal_block_size')::int as page_size
  from pg_database where datname = current_database()`;

/** A role that may not see the receiver's timeline gets that of the last checkpoint, which follows some minutes later. */
const askPlace = `
  select pg_is_in_recovery() as is_replica, coalesce(pg_last_wal_replay_lsn()::text, '') as replayed,
    coalesce((select received_tli from pg_stat_wal_receiver), (select timeline_id from pg_control_checkpoint())) as timeline`;

interface Found extends NearReplica {
  client: Client;
  route: Route;
  pool: Pool;
  pageSize: bigint;
}

const pauseBetweenLooks = 200;
const pauseBetweenSearches = 1_000;
/** Short, because lists wait for it in the meantime: the primary can serve them as well. */
const patience = 300;
/** How long it has to be near or far before that is worth telling, in milliseconds. */
const steadiness = 2_000;
/** How many of the primary's positions are remembered. */
const mostNoted = 50;
/** For how long, and how often, the primary's positions are remembered to say how old a replica is, in milliseconds. */
const lagMemory = 3_600_000;
const lagSteps = 1_000;
/** The longest header of a page of the log, in bytes. */
const longestHeader = 40n;

const messages = {
  near: "The replica is close to the primary, so lists are read from it.",
  far: "The replica is too far behind, so lists are read from the primary.",
  away: "The replica cannot be used, so lists are read from the primary.",
};
type State = keyof typeof messages;

/** Watches a replica. One that cannot be used is looked for until it can: the primary serves in the meantime. */
export function watchReplica(options: ReplicaOptions): Replica {
  const { routes, longestLag, notify } = options;
  let primary: { at: number; position: bigint }[] = [];
  /** The same for longer, and more seldom. */
  let history: { at: number; position: bigint }[] = [];
  let latest = { position: 0n, timeline: 0 };
  let found: Found | undefined;
  let reached = 0n;
  let timeline = 0;
  let connected = 0;
  let isStopped = false;
  let seen: { state: State; since: number } | undefined;
  let notified: State | undefined;
  let wake = () => {};

  async function follow(): Promise<void> {
    while (!isStopped) {
      try {
        found ??= await connect();
        await look(found);
        consider(isNear() ? "near" : "far");
      } catch (error) {
        lose(error);
      }
      await pause(found ? pauseBetweenLooks : pauseBetweenSearches);
    }
    found?.route.cut();
  }

  async function connect(): Promise<Found> {
    const { client, route } = await routes.findReplica();
    try {
      const { identity, pageSize } = await inTime(readIdentity(client), patience);
      if (identity !== options.identity) throw new DatabaseAway("It is a replica of another database.");
      const pool = route.openPool(options.pool);
      return { client, route, pool, pageSize, queries: options.queriesOn(pool), momentOf: createMomentOf(pageSize) };
    } catch (error) {
      route.cut();
      throw error;
    }
  }

  function createMomentOf(pageSize: bigint): NearReplica["momentOf"] {
    connected += 1;
    const name = `replica ${connected}`;
    let unsteady = 0;
    return ({ snapshot, versions, position: received }, wanted) => {
      const replayed = readPosition(snapshot);
      const reach = readReach(snapshot, pageSize);
      const hasCome = replayed > 0n && reach >= readPosition(wanted ?? "");
      // What is replayed is received first, unless it comes from an archive. Then the position of the snapshot is unknown.
      if (!hasCome || readPosition(received) < replayed) throw new DatabaseAway("The replica has not come far enough.");
      // With nothing left to replay, the snapshot shows exactly this position.
      const stamp = received === snapshot ? `${name} ${snapshot}` : `${name} ${snapshot} ${++unsteady}`;
      return { stamp: stampsOf(stamp, versions, name), position: received, isCurrent: reach >= latest.position };
    };
  }

  async function look({ client, pageSize }: Found): Promise<void> {
    const { rows } = await inTime(
      client.query<{ is_replica: boolean; replayed: string; timeline: number }>(askPlace),
      patience,
    );
    const [place] = rows;
    if (!place?.is_replica) throw new DatabaseAway("It is no replica any more.");
    reached = readReach(place.replayed, pageSize);
    timeline = place.timeline;
  }

  function lose(reason: unknown): void {
    reached = 0n;
    found?.route.cut();
    found?.pool.end().catch(() => {});
    found = undefined;
    consider("away", reason);
  }

  /** Logs a change of state, once it has lasted. */
  function consider(state: State, reason?: unknown): void {
    const now = performance.now();
    if (state !== seen?.state) seen = { state, since: now };
    const hasLasted = state === "away" || now - seen.since >= steadiness;
    if (isStopped || state === notified || !hasLasted) return;
    notified = state;
    if (state === "near") notify("info", messages.near);
    else notify("warn", messages[state], reason === undefined ? {} : { error: reasonOf(reason) });
  }

  /** A replica that followed another primary than this one may have come as far, but with something else. */
  function isNear(): boolean {
    if (reached === 0n || timeline !== latest.timeline) return false;
    const upToDateAt = primary.findLast(({ position }) => position <= reached)?.at;
    return upToDateAt !== undefined && performance.now() - upToDateAt <= longestLag;
  }

  function lag(): ReplicaLag | null {
    if (reached === 0n || timeline !== latest.timeline) return null;
    if (reached >= latest.position) return { seconds: 0, bytes: 0 };
    const isThere = ({ position }: { position: bigint }) => position <= reached;
    const upToDateAt = (primary.findLast(isThere) ?? history.findLast(isThere) ?? history[0])?.at;
    const now = performance.now();
    return { seconds: (now - (upToDateAt ?? now)) / 1000, bytes: Number(latest.position - reached) };
  }

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, isStopped ? 0 : milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  const following = follow();
  return {
    notePrimary(beat) {
      const at = performance.now();
      const position = readPosition(beat.position);
      const before = latest;
      latest = { position, timeline: Number.parseInt(beat.timeline, 16) };
      if (latest.timeline !== before.timeline) [primary, history] = [[], []];
      const noted = history.at(-1);
      if (noted?.position === position) noted.at = at;
      else if (!noted || at - noted.at >= lagSteps) history.push({ at, position });
      while (history.length > 1 && (history[0]?.at ?? at) < at - lagMemory) history.shift();
      const last = primary.at(-1);
      if (last?.position === position) last.at = at;
      // Leaving some out makes the replica look a little older than it is, never newer.
      else if (!last || at - last.at >= longestLag / mostNoted) primary.push({ at, position });
      while (primary.length > 1 && (primary[0]?.at ?? at) < at - longestLag) primary.shift();
    },
    whenNear: () => (isNear() ? found : undefined),
    lag,
    pool: () => found?.pool,
    async stop() {
      isStopped = true;
      wake();
      await following;
    },
  };
}

/** Identifies a database of a cluster, alike on its replicas; and the size of its WAL pages. */
export async function readIdentity(server: Client | Pool): Promise<{ identity: string; pageSize: bigint }> {
  const { rows } = await server.query<{ identity: string; page_size: number }>(askIdentity);
  return { identity: rows[0]?.identity ?? "", pageSize: BigInt(rows[0]?.page_size ?? 0) };
}

/** A place in the log, `16/B374D848`, as a number; 0 where there is none. */
function readPosition(text: string): bigint {
  const [high = "", low = ""] = text.split("/");
  return (BigInt(`0x${high || "0"}`) << 32n) + BigInt(`0x${low || "0"}`);
}

/**
 * How far a server has come that has replayed the log to a place. A primary whose last record fills a page says that it
 * stands behind the header of the next one, where nothing has been written yet.
 */
function readReach(text: string, pageSize: bigint): bigint {
  const position = readPosition(text);
  return position % pageSize === 0n ? position + longestHeader : position;
}
