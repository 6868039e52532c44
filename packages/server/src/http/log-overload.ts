import type { Log } from "../observe/log";

const usualInterval = 1_000;

/** Makes what is called for each request that is refused because there are too many, and logs once a second how many were. */
export function logOverload(log: Pick<Log, "warn">, every = usualInterval): () => void {
  let refused = 0;
  function write(): void {
    log.warn("Requests were refused: more came than can be answered.", { refused });
    refused = 0;
  }
  return () => {
    refused += 1;
    if (refused === 1) setTimeout(write, every).unref();
  };
}
