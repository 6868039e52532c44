import { randomUUID } from "node:crypto";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { type RawBuilder, sql } from "kysely";
import { isPostgres } from "./adapter";
import type { Queries } from "./database";

/** A process that serves the data of a database, as it describes itself there. */
export interface ServingProcess {
  id: string;
  base_url: string;
  host: string;
  /** A process id means something in its own namespace only: containers on one host have one each. */
  pid_namespace: string;
  pid: number;
}

/** A process that was not seen for so long, in milliseconds, does not serve any more. */
const maxUnseenMs = 20_000;

/** Describes this process. */
export function describeProcess(baseUrl: string): ServingProcess {
  return { id: randomUUID(), base_url: baseUrl, host: hostname(), pid_namespace: pidNamespace(), pid: process.pid };
}

/** The processes that serve this database now. */
export async function findServing(db: Queries): Promise<ServingProcess[]> {
  const rows = await db
    .selectFrom("serving_processes")
    .select(["id", "base_url", "host", "pid_namespace", "pid"])
    .where("seen_at", ">", sql<number>`${databaseTime(db)} - ${maxUnseenMs}`)
    .orderBy("seen_at")
    .execute();
  return rows.filter((row) => !isKnownDead(row));
}

/** Notes that a process serves, or still serves. What has not been seen for long is forgotten. */
export async function noteServing(db: Queries, serving: ServingProcess): Promise<void> {
  const seen = { seen_at: databaseTime(db) };
  await db
    .deleteFrom("serving_processes")
    .where("seen_at", "<=", sql<number>`${databaseTime(db)} - ${maxUnseenMs}`)
    .where("id", "<>", serving.id)
    .execute();
  await db
    .insertInto("serving_processes")
    .values({ ...serving, ...seen })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(seen))
    .execute();
}

/** Notes that a process serves no longer. */
export async function forgetServing(db: Queries, { id }: ServingProcess): Promise<void> {
  await db.deleteFrom("serving_processes").where("id", "=", id).execute();
}

/** A process, as a message names it. */
export function nameProcess({ base_url, host, pid }: ServingProcess): string {
  return `${base_url}, process ${pid} on ${host}`;
}

/** In milliseconds, by the clock of the database: those of several machines differ. */
function databaseTime(db: Queries): RawBuilder<number> {
  return isPostgres(db)
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
}

/** True if a process would have to be on this machine and is not: one that was killed could not say that it ends. */
function isKnownDead({ host, pid_namespace, pid }: ServingProcess): boolean {
  if (host !== hostname() || pid_namespace !== pidNamespace()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}
