import type { Answered, Ask } from "../harness";
import { size, timeLimit } from "../runs";

/** One request and what became of it. */
export interface Asked {
  path: string;
  /** By performance.now(). */
  startedAt: number;
  took: number;
  /** 0 where there was no answer at all. */
  status: number;
  retryAfter: string | null;
}

/** Somebody who asks all the time. */
export interface SteadyAsking {
  /** Requests that are answered so far. */
  asked: readonly Asked[];
  /** Waits for an answer 200 to a request that was begun after this moment, and says how much later it came. */
  untilWell(since: number): Promise<number>;
  stop(): Promise<readonly Asked[]>;
}

export interface AskingPlan {
  ask: (path: string, ask?: Ask) => Promise<Answered>;
  token: string;
  /** One asks for each of these, again and again. */
  paths: readonly string[];
  /** Delay between an answer and the next request, in milliseconds. */
  pause?: number;
}

const maxWaitMs = 60_000;
/** Maximum times for all but one in a hundred requests, and for all, in milliseconds: R8 says a second, and two. */
const p99LimitMs = timeLimit(1_000);
const maxAnswerMs = timeLimit(2_000);
const defaultPauseMs = size({ default: 80, long: 10 });

/** Starts to ask. */
export function askSteadily({ ask, token, paths, pause = defaultPauseMs }: AskingPlan): SteadyAsking {
  const asked: Asked[] = [];
  let isOver = false;

  async function askAgainAndAgain(path: string): Promise<void> {
    for (; !isOver; await Bun.sleep(pause)) {
      const startedAt = performance.now();
      const answer = await ask(path, { token }).catch(() => undefined);
      asked.push({
        path,
        startedAt,
        took: performance.now() - startedAt,
        status: answer?.status ?? 0,
        retryAfter: answer?.headers.get("retry-after") ?? null,
      });
    }
  }

  const askers = paths.map(askAgainAndAgain);
  return {
    asked,
    async untilWell(since) {
      for (let seen = 0; performance.now() < since + maxWaitMs; await Bun.sleep(5)) {
        for (; seen < asked.length; seen++) {
          const one = asked[seen];
          if (one && one.startedAt > since && one.status === 200 && one.path !== "/healthz") {
            return one.startedAt + one.took - since;
          }
        }
      }
      throw new Error("The service did not recover.");
    },
    async stop() {
      isOver = true;
      await Promise.all(askers);
      return asked;
    },
  };
}

/** Compares the answers with the promises of a service whose database is away; each thing that it fell short of is a complaint. */
export function complaintsAbout(asked: readonly Asked[], away: { from: number; until: number }): string[] {
  const ordinary = asked.filter(({ path }) => path !== "/healthz");
  const during = ordinary.filter(({ startedAt }) => startedAt > away.from && startedAt < away.until);
  const slowest = percentile(during, 0.99);
  return [
    ...asked.filter(({ took }) => took > maxAnswerMs).map(({ path, took }) => `${path} took ${Math.round(took)} ms`),
    ...ordinary
      .filter(({ status }) => status !== 200 && status !== 503)
      .map(({ path, status }) => `${path} answered ${status}`),
    ...asked
      .filter(({ status, retryAfter }) => status === 503 && retryAfter !== "1")
      .map(({ path }) => `${path} did not say when to try again`),
    ...asked
      .filter(({ path, status }) => path === "/healthz" && status !== 200)
      .map(({ status }) => `/healthz answered ${status}`),
    ...(slowest > p99LimitMs ? [`one in a hundred took ${Math.round(slowest)} ms or longer`] : []),
  ];
}

function percentile(asked: readonly Asked[], part: number): number {
  const times = asked.map(({ took }) => took).sort((a, b) => a - b);
  return times[Math.floor(times.length * part)] ?? 0;
}
