import type { Client } from "pg";
import { UnusableDatabase } from "../errors";

/** Which of the histories of a database a server goes on with: each failover begins another one. */
export interface History {
  timeline: number;
  /** Identifies a server, whatever address it was reached by. */
  server: string;
}

const question = `
  select left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline,
    pg_postmaster_start_time() || ' ' || (select system_identifier from pg_control_system()) as server`;

/** Asks a primary for its history. */
export async function askHistory(client: Client): Promise<History> {
  const { rows } = await client.query<{ timeline: string; server: string }>(question);
  return { timeline: Number.parseInt(rows[0]?.timeline ?? "0", 16), server: rows[0]?.server ?? "" };
}

/**
 * Of several servers that can be written to, the one that was promoted last: after a failover the former primary may have
 * come back, and what is written to it is lost. One that is older than the one used before is refused for the same reason.
 */
export function choosePrimary<Server extends { place: string; history: History | undefined }>(
  servers: readonly Server[],
  before: History | undefined,
): Server | undefined {
  const timelineOf = ({ history }: Server) => history?.timeline ?? 0;
  const [chosen, ...others] = servers.toSorted((a, b) => timelineOf(b) - timelineOf(a));
  if (!chosen?.history) return servers[0];
  const rival = others.find(
    (other) => timelineOf(other) === timelineOf(chosen) && other.history?.server !== chosen.history?.server,
  );
  if (rival) {
    throw new UnusableDatabase(
      `Two servers of database_url can be written to, ${chosen.place} and ${rival.place}; only one may be the primary. Stop the one that is not.`,
    );
  }
  if (before && timelineOf(chosen) < before.timeline) {
    throw new UnusableDatabase(
      `${chosen.place} can be written to, but another one was promoted after it. Start that one, or restart Holdfast to continue with this one.`,
    );
  }
  return chosen;
}
