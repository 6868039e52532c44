import type { Client } from "pg";
import { coalesce } from "../common/coalesce";
import { withTimeout } from "../common/with-timeout";
import { DatabaseUnavailable } from "../errors";
import type { FoundServer, ServerDiscovery } from "./server-discovery";
import { type SeenVersions, versionColumns } from "./versions";

export interface PrimaryMonitorOptions {
  discovery: ServerDiscovery;
  /** The timeout of a status query, in milliseconds; infinite while no request waits. */
  timeoutMs: number;
  /** Called each time that the primary was found. */
  onFound: (server: FoundServer) => void;
  /** Called when it stopped to answer or is the primary no more. */
  onLost: (reason: unknown) => void;
  /** Called each time that it was looked for in vain since. */
  onMissed: (reason: unknown) => void;
}

/** Watches over the connection to the primary on one connection of its own. */
export interface PrimaryMonitor {
  /** Asks the primary what it has committed; many who ask at once share one question. */
  probe(): Promise<SeenVersions>;
  /** Asks whether a commit of this user has waited for a standby for so many milliseconds. */
  waitsForStandby(milliseconds: number): Promise<boolean>;
  /** Reports that the server is not the primary any more. */
  lose(reason: unknown): void;
  stop(): Promise<void>;
}

const idlePauseMs = 250;
const question = `select current_setting('transaction_read_only') = 'on' as is_read_only, ${versionColumns}`;
const waiting = `
  select exists (
    select from pg_stat_activity
    where datname = current_database() and usename = current_user and wait_event = 'SyncRep'
      and query_start < clock_timestamp() - make_interval(secs => $1)
  ) as waits`;

/** Starts to watch over the database. Gives an error where no primary can be reached to begin with. */
export async function monitorPrimary(options: PrimaryMonitorOptions): Promise<PrimaryMonitor> {
  const { discovery, timeoutMs, onFound, onLost, onMissed } = options;
  let client: Client | undefined;
  let isStopped = false;
  let lastProbeAt = performance.now();

  async function find(): Promise<void> {
    const found = await discovery.findPrimary();
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
        await pause(idlePauseMs);
      }
    }
  }

  async function ask(): Promise<SeenVersions> {
    const asked = client;
    if (!asked) throw new DatabaseUnavailable("The database does not answer.");
    try {
      const { rows } = await withTimeout(asked.query<SeenVersions & { is_read_only: boolean }>(question), timeoutMs);
      const [seen] = rows;
      if (!seen || seen.is_read_only) throw new DatabaseUnavailable("The database can only be read at the moment.");
      lastProbeAt = performance.now();
      return seen;
    } catch (error) {
      if (client === asked) lose(error);
      throw error instanceof DatabaseUnavailable
        ? error
        : new DatabaseUnavailable("The database does not answer.", { cause: error });
    }
  }

  const probe = coalesce(ask);
  await find();
  const timer = Number.isFinite(timeoutMs)
    ? setInterval(() => {
        if (client && performance.now() - lastProbeAt >= idlePauseMs) probe().catch(() => {});
      }, idlePauseMs)
    : undefined;

  return {
    probe,
    lose,
    async waitsForStandby(milliseconds) {
      if (!client) throw new DatabaseUnavailable("The database does not answer.");
      const { rows } = await withTimeout(client.query<{ waits: boolean }>(waiting, [milliseconds / 1000]), timeoutMs);
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
