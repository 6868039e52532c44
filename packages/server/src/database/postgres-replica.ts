import type { Client, Pool } from "pg";
import { inTime } from "./in-time";
import type { PoolOptions, Route, Routes } from "./postgres-routes";

/** A replica that lists are read from while it keeps up. */
export interface Replica {
  /** Notes how far the log of the primary has come by now. */
  notePrimary(position: string): void;
  /** Connections to read with, where it has come to a position and is not too far behind the primary; else nothing. */
  poolAt(position: string | null): Pool | undefined;
  stop(): Promise<void>;
}

export interface ReplicaOptions {
  routes: Routes;
  pool: PoolOptions;
  /** How far behind it may be, in milliseconds. */
  longestLag: number;
  onFound: () => void;
  onLost: (reason: unknown) => void;
}

const pauseBetweenLooks = 250;
const patience = 750;
const look = "select pg_is_in_recovery() as is_replica, pg_last_wal_replay_lsn()::text as replayed";

/** Watches a replica. One that cannot be reached is looked for until it can: the primary serves in the meantime. */
export function watchReplica({ routes, pool: poolOptions, longestLag, onFound, onLost }: ReplicaOptions): Replica {
  const primary: { at: number; position: bigint }[] = [];
  let found: { client: Client; route: Route; pool: Pool } | undefined;
  let replayed = 0n;
  let isStopped = false;
  let isMissed = false;

  async function follow(): Promise<void> {
    while (!isStopped) {
      try {
        found ??= await connect();
        const { rows } = await inTime(
          found.client.query<{ is_replica: boolean; replayed: string | null }>(look),
          patience,
        );
        const [seen] = rows;
        replayed = seen?.is_replica && seen.replayed !== null ? readPosition(seen.replayed) : 0n;
      } catch (error) {
        lose(error);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseBetweenLooks));
    }
  }

  async function connect() {
    const { client, route } = await routes.findAny();
    isMissed = false;
    onFound();
    return { client, route, pool: route.openPool(poolOptions) };
  }

  function lose(reason: unknown): void {
    replayed = 0n;
    found?.route.cut();
    found = undefined;
    if (!isMissed && !isStopped) onLost(reason);
    isMissed = true;
  }

  /** When the primary had come no further than the replica has now. */
  function freshAsOf(): number {
    return primary.findLast(({ position }) => position <= replayed)?.at ?? Number.NEGATIVE_INFINITY;
  }

  const following = follow();
  return {
    notePrimary(text) {
      const at = performance.now();
      const last = primary.at(-1);
      const position = readPosition(text);
      if (last && last.position === position) last.at = at;
      else primary.push({ at, position });
      while (primary.length > 1 && (primary[0]?.at ?? at) < at - longestLag) primary.shift();
    },
    poolAt(position) {
      if (!found || replayed === 0n || performance.now() - freshAsOf() > longestLag) return undefined;
      return position === null || readPosition(position) <= replayed ? found.pool : undefined;
    },
    async stop() {
      isStopped = true;
      lose(undefined);
      await following;
    },
  };
}

/** A place in the log, `16/B374D848`, as a number. */
function readPosition(text: string): bigint {
  const [high = "0", low = "0"] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
