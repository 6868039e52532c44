import type { Client } from "pg";
import { DatabaseAway } from "../errors";
import { inTime } from "../in-time";
import { shareNext } from "../share-next";
import { isUnknownStatement } from "./errors";
import type { FoundServer, Routes } from "./routes";
import { sendBatch } from "./statement-batch";
import type { StatementNames } from "./statement-names";
import { readSeen, type SeenRow, type SeenVersions, seenColumns } from "./versions-column";

/** The answer of the primary to one status query. */
export interface PrimaryStatus {
  /** Equal to that of the query before, unless something was committed. */
  seen: SeenVersions;
  /** How far the log has come; empty unless that is asked for. */
  position: string;
  /** Which of its histories the log belongs to: each failover begins another one. Empty unless that is asked for. */
  timeline: string;
}

interface StatusRow extends SeenRow {
  is_read_only: boolean;
  position?: string | null;
  timeline?: string | null;
}

export interface PulseOptions {
  routes: Routes;
  /** The timeout of a status query, in milliseconds; infinite while no request waits. */
  patience: number;
  hasSnapshots: boolean;
  /** Whether each query also asks for the position in the log, which only a replica is compared with. */
  asksForPosition: boolean;
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
const positionColumns = `,
  case when pg_is_in_recovery() then null else pg_current_wal_insert_lsn()::text end as position,
  case when pg_is_in_recovery() then null else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as timeline`;
const nothingSeen = "select false as is_read_only, '' as snapshot, '' as versions";
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
  /** What the last query has seen on this connection. */
  let seen: SeenVersions | undefined;
  const question = `select current_setting('transaction_read_only') = 'on' as is_read_only, ${seenColumns("$1")}${options.asksForPosition ? positionColumns : ""}`;

  async function find(): Promise<void> {
    const found = await routes.findPrimary();
    if (isStopped) {
      found.route.cut();
      return;
    }
    client = found.client;
    seen = undefined;
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

  async function askStatus(asked: Client): Promise<StatusRow | undefined> {
    if (!options.hasSnapshots) return (await asked.query<StatusRow>(nothingSeen)).rows[0];
    try {
      const statement = { text: question, values: [seen?.snapshot ?? ""] };
      const [rows = []] = await sendBatch<StatusRow>(asked, [statement], names);
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
      const row = await inTime(askStatus(asked), patience);
      if (!row || row.is_read_only) throw new DatabaseAway("The database can only be read at the moment.");
      lastBeat = performance.now();
      // If the database does not report commits, every stamp is different.
      const now = options.hasSnapshots ? readSeen(row, seen) : { snapshot: String(++unique), versions: {} };
      if (client === asked) seen = now;
      const beat = { seen: now, position: row.position ?? "", timeline: row.timeline ?? "" };
      options.onStatus(beat);
      return beat;
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
