import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { LiveOptions } from "./live-tasks";

export interface LivePingOptions extends Pick<LiveOptions, "random" | "secondMs" | "signal" | "onLine"> {
  /** The URL that pings of the monitor go to. */
  pingUrl: string;
  name: string;
}

/** Pings a monitor now and then, as a script does: when it begins, and how it ended. Until the signal is aborted. */
export async function runLivePings({
  pingUrl,
  name,
  random,
  secondMs,
  signal,
  onLine,
}: LivePingOptions): Promise<void> {
  const pause = (low: number, high: number) =>
    sleep(random.whole(low, high) * secondMs, undefined, { signal }).catch(() => {});
  const ping = async (path: string, body = "") => {
    try {
      const { status } = await fetch(`${pingUrl}${path}`, { method: "POST", body });
      onLine(`${name}: pinged ${path.split("?")[0] || "its end"}, answered ${status}`);
    } catch (error) {
      onLine(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  };
  while (!signal.aborted) {
    const run = `?rid=${randomUUID()}`;
    await ping(`/start${run}`);
    await pause(8, 20);
    const isGood = signal.aborted || !random.isLucky(0.15);
    // A run that was begun has its end pinged, also when all of it is stopped.
    await (isGood
      ? ping(run, "3 laptops were in reach\ndone: 3 snapshots\n")
      : ping(`/1${run}`, "laptop-07 left the network\nFatal: connection reset by peer\n"));
    await pause(20, 60);
  }
}
