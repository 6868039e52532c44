import { createStore } from "./store";

/** Connection to the service. */
export type Connection =
  | { state: "there" }
  /** It does not answer; the next try is at that time. */
  | { state: "away"; retryAt: number }
  /** It asks for fewer requests, until that time. */
  | { state: "too-fast"; until: number };

const there: Connection = { state: "there" };
export const connection = createStore<Connection>(there);

const [firstPause, maxPauseMs] = [1_000, 15_000];
const returned = new Set<() => void>();

/** Calls back each time the service is there again. */
export function onReturn(listener: () => void): () => void {
  returned.add(listener);
  return () => returned.delete(listener);
}

let probe: (() => Promise<boolean>) | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says how to find out whether the service is there. */
export function setProbe(isThere: () => Promise<boolean>): void {
  probe = isThere;
}

/** Notes that no answer came, and tries until one does. */
export function noteAway(): void {
  if (connection.read().state === "away") return;
  tryAfter(firstPause);
}

function tryAfter(pause: number): void {
  connection.write({ state: "away", retryAt: Date.now() + pause });
  timer = setTimeout(() => void tryNow(pause), pause);
}

/** Tries at once, as a person asks for. */
export function tryAgain(): void {
  clearTimeout(timer);
  void tryNow(firstPause / 2);
}

async function tryNow(pause: number): Promise<void> {
  if (!(await probe?.())) {
    tryAfter(Math.min(pause * 2, maxPauseMs));
    return;
  }
  connection.write(there);
  for (const listener of returned) listener();
}

/** Notes that the service asks for a pause. It is shown once it has lasted a while. */
export function noteRateLimit(until: number): void {
  if (connection.read().state === "away") return;
  connection.write({ state: "too-fast", until });
  setTimeout(() => {
    const now = connection.read();
    if (now.state === "too-fast" && now.until <= Date.now()) connection.write(there);
  }, until - Date.now());
}
