/**
 * Lets many callers share few runs of some work. A run begins when the turn of the event loop in which it is asked for ends, so
 * that all requests which have arrived by then share it. Calls during a run share the next one: a result always belongs to a
 * run that began after it was asked for.
 */
export function coalesce<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let isRunning = false;
  let next: PromiseWithResolvers<Result> | undefined;

  function begin(): void {
    if (!next) return;
    const run = next;
    next = undefined;
    isRunning = true;
    work().then(
      (result) => {
        end();
        run.resolve(result);
      },
      (error) => {
        end();
        run.reject(error);
      },
    );
  }

  function end(): void {
    isRunning = false;
    if (next) setImmediate(begin);
  }

  return () => {
    if (!next) {
      next = Promise.withResolvers<Result>();
      if (!isRunning) setImmediate(begin);
    }
    return next.promise;
  };
}
