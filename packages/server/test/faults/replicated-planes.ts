import { createApp } from "../../src/http/app";
import type { RawSettings } from "../../src/settings/settings";
import { type Answered, type Ask, makeFolder, openPlane, type Plane, readAnswer } from "../harness";
import { type Cluster, startCluster } from "../postgres-cluster";

/** A primary and a replica of it, which log every statement, and a database on them. */
export interface Replicated {
  primary: Cluster;
  replica: Cluster;
  url: string;
  replicaUrl: string;
  /** Opens a plane on the database; all of them share the secret. */
  open(flags?: RawSettings): Promise<Plane>;
  /** Stops the replica from showing anything new. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Waits until the replica shows everything that is committed. */
  catchUp(): Promise<void>;
  /** How often lists of tasks were read from the replica. */
  readsOnReplica(): number;
  readsOnPrimary(): number;
  remove(): Promise<void>;
}

const logsAll = { log_statement: "all" };

export async function startReplicated(): Promise<Replicated> {
  const primary = await startCluster(logsAll);
  const url = await primary.createDatabase("holdfast");
  const replica = await primary.makeReplica(logsAll);
  const folder = makeFolder();
  const opened: Plane[] = [];
  const reads = (cluster: Cluster) => cluster.logged().match(/ from "?task/g)?.length ?? 0;
  return {
    primary,
    replica,
    url,
    replicaUrl: replica.url("holdfast"),
    async open(flags = {}) {
      const plane = await openPlane({ database_url: url, ...flags }, folder);
      opened.push(plane);
      return plane;
    },
    async pauseReplay() {
      await replica.query("select pg_wal_replay_pause()");
      // Replay stops only when there is something to replay.
      await primary.query("select pg_logical_emit_message(true, 'holdfast', 'pause')");
      await until("replay is paused", async () => {
        const [row] = await replica.query("select pg_get_wal_replay_pause_state() as state");
        return row?.state === "paused";
      });
    },
    resumeReplay: async () => {
      await replica.query("select pg_wal_replay_resume()");
    },
    async catchUp() {
      const [row] = await primary.query("select pg_current_wal_lsn()::text as position");
      await until("the replica has caught up", async () => {
        const [seen] = await replica.query(`select pg_last_wal_replay_lsn() >= '${row?.position}' as is_there`);
        return seen?.is_there === true;
      });
    },
    readsOnReplica: () => reads(replica),
    readsOnPrimary: () => reads(primary),
    async remove() {
      for (const plane of opened) await plane.close();
      await replica.remove();
      await primary.remove();
    },
  };
}

/** Waits until something is so. */
export async function until(what: string, isSo: () => Promise<boolean> | boolean, longest = 60_000): Promise<void> {
  for (const deadline = performance.now() + longest; performance.now() < deadline; await Bun.sleep(20)) {
    if (await isSo()) return;
  }
  throw new Error(`It took more than ${longest / 1000} s until ${what}.`);
}

/** A plane that goes on with a walk wherever a replica is, as if cursors had no position. Walks begin on the primary. */
export function withoutPositions(plane: Plane): Plane {
  const { database, service } = plane;
  const careless = {
    ...database,
    snapshotNearby: ((position, read) =>
      position === null
        ? database.snapshot(read)
        : database.snapshotNearby(null, read)) satisfies typeof database.snapshotNearby,
  };
  const app = createApp({ ...service, database: careless });
  const ask = async (path: string, { token, unit }: Ask = {}): Promise<Answered> => {
    const headers = { Authorization: `Bearer ${token}`, "x-svc-organizationalunit-context": unit ?? "" };
    return readAnswer(await app.request(`http://localhost${path}`, { headers }));
  };
  return { ...plane, database: careless, ask };
}
