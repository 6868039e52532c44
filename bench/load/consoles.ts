import type { Headers } from "../sides/ours";
import { getOf, listOf } from "../sides/ours";
import { type Answer, isRejected, type Sent, withConnections } from "./connection";
import type { Random } from "./random";

const hour = 3_600_000;
const day = 24 * hour;
export const zones = ["Europe/Berlin", "Asia/Kolkata", "UTC", "America/New_York"];
/** A browser opens six connections to a service, and the stream takes one of them. */
const connections = 5;
const failures = ["error", "lost", "missed", "expired"];
const attention = ["never", "failing", "missed", "stale"];

/** The midnight with which the last so many days begin in a zone. */
export function startOfDays(zone: string, now: number, days: number): number {
  const wallClock = (at: number) => Date.parse(`${new Date(at).toLocaleString("sv-SE", { timeZone: zone })}Z`);
  const midnight = Math.floor(wallClock(now) / day) * day - (days - 1) * day;
  return midnight - (wallClock(midnight) - midnight);
}

/** Counts of tasks as the console asks for them. */
export function countsOf(headers: Headers, interval: "hour" | "day", zone: string, from: number): Sent {
  const filter = { created_timestamp: { $gte: new Date(from).toISOString() } };
  return listOf("/task-counts", headers, { interval, time_zone: zone, filter, limit: 1000 });
}

/** All requests of the overview, as packages/console/src/pages/overview sends them. */
export function overviewRequests(headers: Headers, zone: string, now: number): Sent[] {
  const minute = Math.floor(now / 60_000) * 60_000;
  const since = new Date(minute - day).toISOString();
  const soon = { $gt: new Date(now).toISOString(), $lte: new Date(now + 30 * day).toISOString() };
  const shown = { is_muted: false, is_retired: false };
  return [
    countsOf(headers, "hour", zone, Math.floor(minute / hour) * hour - 23 * hour),
    countsOf(headers, "day", zone, startOfDays(zone, minute, 30)),
    listOf("/tasks", headers, { filter: { outcome: { $in: failures }, created_timestamp: { $gte: since } }, limit: 5 }),
    listOf("/entity-counts", headers, { filter: shown }),
    listOf("/entities", headers, { filter: { state: { $in: attention }, ...shown }, sort: "state", limit: 5 }),
    listOf("/monitors", headers, { filter: { state: { $in: ["late", "missed", "failed"] } }, sort: "state", limit: 5 }),
    listOf("/api-tokens", headers, {
      filter: { expires_timestamp: soon, is_revoked: false },
      sort: "expires_timestamp",
      limit: 100,
    }),
  ];
}

interface Console {
  url: string;
  headers: Headers;
  zone: string;
  random: Random;
  until: number;
  onRefreshed(zone: string, ms: number, wasRejected: boolean): void;
}

/**
 * Keeps the overview open until a moment: its stream of running tasks, and all its requests every four to
 * six seconds. A real one waits for thirty, but then a short run would have few samples.
 */
export async function openConsole({ url, headers, zone, random, until, onRefreshed }: Console): Promise<void> {
  const closing = new AbortController();
  const filter = encodeURIComponent(JSON.stringify({ status: { $in: ["queued", "in_progress", "aborting"] } }));
  const stream = await fetch(`${url}${getOf(`/task-events?filter=${filter}&limit=30`, headers).path}`, {
    headers,
    signal: closing.signal,
  });
  const drained = drain(stream, closing.signal);
  try {
    await withConnections(url, connections, async (lines) => {
      while (performance.now() < until) {
        await Bun.sleep(4_000 + 2_000 * random.share());
        const startedAt = performance.now();
        const requests = overviewRequests(headers, zone, Date.now());
        const sent = lines.map(async (line, index) => {
          const answers: Answer[] = [];
          for (let at = index; at < requests.length; at += connections) {
            const request = requests[at];
            if (request) answers.push(await line.send(request));
          }
          return answers;
        });
        const answers = (await Promise.all(sent)).flat();
        onRefreshed(zone, performance.now() - startedAt, answers.some(isRejected));
      }
    });
  } finally {
    closing.abort();
    await drained;
  }
}

async function drain({ body, status }: Response, signal: AbortSignal): Promise<void> {
  if (status !== 200 || !body) throw new Error(`A stream was rejected with ${status}.`);
  try {
    for await (const _ of body);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
