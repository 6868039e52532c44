import type { Recorder } from "../observe/registry";

/** Counts an exchange and how long it took. */
export type CountExchange = (operation: string, status: number, seconds: number) => void;

/** Makes what counts exchanges by their operation and status. */
export function countExchanges(metrics: Recorder): CountExchange {
  const known = new Map<string, Map<number, (seconds: number) => void>>();
  const begin = (operation: string, status: number) => {
    const labels = { operation, status: String(status) };
    const add = metrics.counter("holdfast_requests_total", labels);
    const observe = metrics.histogram("holdfast_request_duration_seconds", labels);
    return (seconds: number) => {
      add();
      observe(seconds);
    };
  };
  return (operation, status, seconds) => {
    const ofOperation = known.get(operation) ?? new Map<number, (seconds: number) => void>();
    known.set(operation, ofOperation);
    const one = ofOperation.get(status) ?? begin(operation, status);
    ofOperation.set(status, one);
    one(seconds);
  };
}
