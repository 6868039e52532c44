import type { ProcessGroup } from "@holdfast/server/telemetry/metrics";
import { gatheredMetrics, type MetricsSnapshot } from "@holdfast/server/telemetry/metrics-snapshot";

/** Message of a process to its supervisor that it answers requests. */
export interface ReadyNews {
  port: number;
  baseUrl: string;
  hasTokens: boolean;
  /** Made by the first process of a start alone. */
  firstOwnerLink: string | null;
}

/** Sent to the supervisor again and again: the process is not stuck. */
interface SignOfLife {
  alive: true;
}

/** Metrics of the process: sent when the supervisor asks, and now and then for the sum if the process is killed. */
interface MetricsNews {
  told: MetricsSnapshot;
}

/** Sent by the supervisor to ask for the metrics of the process. */
export const metricsRequest = { tell: true };

/** Sent to ask for what the others have done, with what this process has: the answer is { gathered }. */
interface MetricsQuestion {
  asks: MetricsSnapshot;
}

/** Interval between signs of life, in milliseconds. */
export const lifeInterval = 1_000;
/** Number of signs of life after which metrics are sent without being asked for: they are large. */
const beatsPerMetrics = 10;

/** The supervisor that started this process. */
export interface Parent {
  /** The port that is shared; 0 where this process is the first and lets the system choose. */
  port: number;
  /** True if others serve already, or did: this process is not the first of its start. */
  hasOthers: boolean;
  /** Settled when the supervisor is no more. */
  gone: Promise<void>;
  /** Also gives signs of life from then on. Before that, it is unknown how long opening the data may take. */
  tellReady(news: ReadyNews, readMetrics: () => Promise<MetricsSnapshot>): void;
  processGroup: ProcessGroup;
  /** No message will follow: what keeps this process from ending is let go. */
  leave(): void;
}

/** Marks a process that a supervisor started. It is not a setting: only the supervisor sets it. */
export const sharedPortVariable = "HOLDFAST_SHARED_PORT";
export const hasOthersVariable = "HOLDFAST_HAS_OTHERS";
export const processNumberVariable = "HOLDFAST_PROCESS_NUMBER";

/** Finds the supervisor of this process, if there is one. */
export function findParent(environment: Record<string, string | undefined>): Parent | undefined {
  const port = environment[sharedPortVariable];
  const send = process.send?.bind(process);
  if (port === undefined || !send) return undefined;
  return {
    port: Number(port),
    hasOthers: environment[hasOthersVariable] === "true",
    // Watched at once: a supervisor can go while the data is still being opened.
    gone: untilGone(process.ppid),
    processGroup: {
      number: Number(environment[processNumberVariable]),
      collect: createMetricsCollector((question) => process.connected && send(question)),
    },
    tellReady(news, readMetrics) {
      if (!process.connected) return;
      const tellMetrics = () =>
        void readMetrics().then((told) => process.connected && send({ told } satisfies MetricsNews));
      process.on("message", (message: unknown) => {
        if (typeof message === "object" && message !== null && "tell" in message) tellMetrics();
      });
      send(news);
      let beats = 0;
      const timer = setInterval(() => {
        if (!process.connected) {
          clearInterval(timer);
          return;
        }
        send({ alive: true } satisfies SignOfLife);
        beats += 1;
        if (beats % beatsPerMetrics === 0) tellMetrics();
      }, lifeInterval);
      timer.unref();
    },
    leave() {
      if (process.connected) process.disconnect?.();
    },
  };
}

/** Settled when the parent is gone: its channel is closed, or, where another process holds that open, it has another parent. */
function untilGone(parent: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid !== parent) settle();
    }, lifeInterval).unref();
    function settle(): void {
      clearInterval(timer);
      resolve();
    }
    process.once("disconnect", settle);
  });
}

/** Timeout for the supervisor's answer, in milliseconds. */
const answerTimeoutMs = 2_000;

/** Asks the supervisor, which answers questions in their order. */
function createMetricsCollector(ask: (question: MetricsQuestion) => void): ProcessGroup["collect"] {
  const waiting: ((gathered: MetricsSnapshot) => void)[] = [];
  process.on("message", (message: unknown) => {
    const { success, data } = gatheredMetrics.safeParse(message);
    if (success) waiting.shift()?.(data.gathered);
  });
  return (own) =>
    new Promise((resolve, reject) => {
      waiting.push(resolve);
      ask({ asks: own });
      setTimeout(() => reject(new Error("The supervisor does not answer.")), answerTimeoutMs).unref();
    });
}
