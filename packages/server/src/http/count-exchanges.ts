import type { Recorder } from "../telemetry/registry";

/** Counts an exchange and how long it took. */
export type CountExchange = (operation: string, status: number, seconds: number) => void;

/** Makes what counts exchanges by their operation and status. */
export function countExchanges(metrics: Recorder): CountExchange {
  return (operation, status, seconds) => {
    const labels = { operation, status: String(status) };
    metrics.add("holdfast_requests_total", labels);
    metrics.observe("holdfast_request_duration_seconds", labels, seconds);
  };
}
