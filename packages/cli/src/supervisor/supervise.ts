import { setTimeout as sleep } from "node:timers/promises";
import { requireFreePort } from "@holdfast/server/http/listen";
import { namedMetricsListen } from "@holdfast/server/http/named-metrics-listen";
import type { Settings } from "@holdfast/server/settings/declarations";
import type { Log } from "@holdfast/server/telemetry/log";
import { type Npm, onEndSignals } from "../end-signals";
import { type Child, type End, startChild } from "./child";
import { createMetricsPool } from "./metrics-pool";
import type { ReadyNews } from "./parent";
import { restartDelay } from "./restart-delay";
import type { Timeouts } from "./timeouts";

/** A process that ran for so long, in milliseconds, did not end early. */
const longEnough = 10_000;

export interface SuperviseOptions {
  settings: Settings;
  log: Log;
  npm: Npm | undefined;
  timeouts: Timeouts;
  /** Called once, when all processes answer requests. */
  onReady(news: ReadyNews): void;
}

/**
 * Serves with several processes on one port until a signal ends them, and gives the exit code. One that ends by itself
 * is replaced. The supervisor opens no data: what breaks a process cannot break it.
 */
export async function supervise({ settings, log, npm, timeouts, onReady }: SuperviseOptions): Promise<number> {
  const { host, port, metrics_listen: metrics } = settings;
  if (port !== 0) await requireFreePort(host, port);
  if (metrics && metrics.port !== 0) await namedMetricsListen(() => requireFreePort(metrics.host, metrics.port));
  const running = new Set<Child>();
  const stopping = new AbortController();
  const poolMetrics = createMetricsPool();
  let exitCode = 0;
  let hasOthers = false;

  function start(port: number, number: number): Child {
    const metrics = poolMetrics(number);
    const child = startChild(port, hasOthers, number, timeouts.silenceSeconds, metrics);
    hasOthers = true;
    running.add(child);
    child.ended.then(() => {
      running.delete(child);
      metrics.end();
    });
    child.hung.then(() => {
      // A slow end is handled elsewhere.
      if (stopping.signal.aborted) return;
      log.warn("A process of the service gives no sign of life, so it is killed.", {
        detail: `process ${child.pid} was silent for ${timeouts.silenceSeconds} s`,
      });
      child.kill("SIGKILL");
    });
    return child;
  }

  /** Starts a process while the service is not there yet: one that cannot start now could not later, either. */
  async function startFirst(port: number, number: number): Promise<{ child: Child; news: ReadyNews }> {
    const child = start(port, number);
    const news = await Promise.race([child.ready, child.ended]);
    if ("baseUrl" in news) return { child, news };
    throw new StartFailed(news);
  }

  /** Replaces a process whenever it ends, until all are to end. */
  async function keep(child: Child, port: number, number: number): Promise<void> {
    let current = child;
    for (let earlyEnds = 0; ; earlyEnds++) {
      const startedAt = performance.now();
      const end = await current.ended;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt >= longEnough) earlyEnds = 0;
      const pause = restartDelay(earlyEnds);
      log.warn("A process of the service has ended, so it is started again.", {
        detail: `process ${current.pid} ended with ${end.reason}; the next one starts in ${pause} ms`,
      });
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      current = start(port, number);
    }
  }

  function stop(signal: NodeJS.Signals): void {
    stopping.abort();
    for (const child of running) child.kill(signal);
    const deadline = setTimeout(
      () => {
        exitCode = 1;
        log.error("Some processes of the service did not end in time, so they are killed.");
        for (const child of running) child.kill("SIGKILL");
      },
      settings.drain_seconds * 1000 + timeouts.finish,
    );
    deadline.unref();
  }

  onEndSignals({
    first: stop,
    again: () => {
      for (const child of running) child.kill("SIGKILL");
      process.exit(1);
    },
    npm,
  });

  try {
    // Alone, so that what is made at the first start is made once, and the port is known to the others.
    const first = await startFirst(settings.port, 1);
    const { port } = first.news;
    stopping.signal.throwIfAborted();
    const others = await Promise.all(
      Array.from({ length: settings.processes - 1 }, (_, index) => startFirst(port, index + 2)),
    );
    onReady(first.news);
    await Promise.all([first, ...others].map(({ child }, index) => keep(child, port, index + 1)));
  } catch (error) {
    const isStopped = stopping.signal.aborted;
    if (!isStopped) stop("SIGINT");
    await Promise.all([...running].map(({ ended }) => ended));
    if (isStopped) return exitCode;
    // It has said itself what was wrong.
    if (error instanceof StartFailed && error.end.exitCode !== null) return error.end.exitCode || 1;
    throw error;
  }
  return exitCode;
}

class StartFailed extends Error {
  override readonly name = "StartFailed";
  constructor(readonly end: End) {
    super(`A process of the service ended with ${end.reason} before it was ready. Start the service again.`);
  }
}
