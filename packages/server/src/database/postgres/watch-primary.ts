import type { Client } from "pg";
import type { DomainVersions } from "../domains";
import { DatabaseAway } from "../errors";
import { inTime } from "../in-time";
import { shareNext } from "../share-next";
import { isUnknownStatement } from "./errors";
import type { FoundServer, Routes } from "./routes";
import { sendBatch } from "./statement-batch";
import type { StatementNames } from "./statement-names";
import { versionsColumn } from "./versions-column";

/** The answer of the primary to one status query. */
export interface PrimaryStatus {
  /** The transactions whose effects are visible: it changes with every commit. */
  snapshot: string;
  /** Of the same moment as the snapshot. */
  versions: DomainVersions;
  /** How far the log has come. */
  position: string;
  /** Which of its histories the log belongs to: each failover begins another one. */
  timeline: string;
}

interface Status extends PrimaryStatus {
  is_read_only: boolean;
}

export interface PulseOptions {
  routes: Routes;
  /** The timeout of a status query, in milliseconds; infinite while no request waits. */
  patience: number;
  hasSnapshots: boolean;
  names: StatementNames;
  onStatus: (beat: PrimaryStatus) => void;
  /** Called each time that the primary was found. */
  onFound: (server: FoundServer) => void;
  /** Called when it stopped to answer or is the primary no more. */
  onLost: (reason: unknown) => void;
  /** Called each time that it was looked for in vain since. */
  onMissed: (reason: unknown) => void;
}

/** Watches over the connection to the primary on one connection of its own. */
export interface Pulse {
  /** Asks the primary what it has committed; many who ask at once share one question. */
  beat(): Promise<PrimaryStatus>;
  /** Asks whether a commit of this user has waited for a standby for so many milliseconds. */
  waitsForStandby(milliseconds: number): Promise<boolean>;
  /** Reports that the server is not the primary any more. */
  lose(reason: unknown): void;
  stop(): Promise<void>;
}

const idlePause = 250;
const waiting = `
  select exists (
    select from pg_stat_activity
    where datname = current_database() and usename = current_user and wait_event = 'SyncRep'
      and query_start < clock_timestamp() - make_interval(secs => $1)
  ) as waits`;

/** Starts to watch over the database. Gives an error where no primary can be reached to begin with. */
export async function watchPrimary(options: PulseOptions): Promise<Pulse> {
  const { routes, patience, names, onFound, onLost, onMissed } = options;
  let client: Client | undefined;
  let isStopped = false;
  let lastBeat = performance.now();
  let unique = 0;
  const question = options.hasSnapshots
    ? `select current_setting('transaction_read_only') = 'on' as is_read_only, pg_current_snapshot()::text as snapshot, case when pg_is_in_recovery() then null else pg_current_wal_insert_lsn()::text end as position, case when pg_is_in_recovery() then null else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as timeline, ${versionsColumn}`
    : "select false as is_read_only, '' as snapshot, '' as position, '' as timeline, '{}'::json as versions";

  async function find(): Promise<void> {
    const found = await routes.findPrimary();
    if (isStopped) {
      found.route.cut();
      return;
    }
    client = found.client;
    client.on("error", lose);
    onFound(found);
  }

  function lose(reason: unknown): void {
    if (!client || isStopped) return;
    client.removeListener("error", lose);
    client.on("error", () => {});
    client = undefined;
    onLost(reason);
    void seek();
  }

  /** Looks for a primary until there is one. */
  async function seek(): Promise<void> {
    while (!isStopped && !client) {
      try {
        await find();
      } catch (error) {
        if (!isStopped) onMissed(error);
        await pause(idlePause);
      }
    }
  }

  async function askStatus(asked: Client): Promise<Status | undefined> {
    if (!options.hasSnapshots) return (await asked.query<Status>(question)).rows[0];
    try {
      const [rows = []] = await sendBatch<Status>(asked, [{ text: question, values: [] }], names);
      return rows[0];
    } catch (error) {
      if (!isUnknownStatement(error)) throw error;
      names.turnOff();
      return askStatus(asked);
    }
  }

  async function ask(): Promise<PrimaryStatus> {
    const asked = client;
    if (!asked) throw new DatabaseAway("The database does not answer.");
    try {
      const beat = await inTime(askStatus(asked), patience);
      if (!beat || beat.is_read_only) throw new DatabaseAway("The database can only be read at the moment.");
      lastBeat = performance.now();
      options.onStatus(beat);
      // If the database does not report commits, every stamp is different.
      return options.hasSnapshots ? beat : { ...beat, snapshot: String(++unique) };
    } catch (error) {
      if (client === asked) lose(error);
      throw error instanceof DatabaseAway ? error : new DatabaseAway("The database does not answer.", { cause: error });
    }
  }

  const beat = shareNext(ask);
  await find();
  const timer = Number.isFinite(patience)
    ? setInterval(() => {
        if (client && performance.now() - lastBeat >= idlePause) beat().catch(() => {});
      }, idlePause)
    : undefined;

  return {
    beat,
    lose,
    async waitsForStandby(milliseconds) {
      if (!client) throw new DatabaseAway("The database does not answer.");
      const { rows } = await inTime(client.query<{ waits: boolean }>(waiting, [milliseconds / 1000]), patience);
      return rows[0]?.waits === true;
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      client?.removeListener("error", lose);
      client?.on("error", () => {});
      await client?.end();
    },
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
