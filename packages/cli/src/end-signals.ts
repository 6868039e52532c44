/** Facts about npm's handling of this process, if npm has started it. */
export interface Npm {
  /** Calls back when the shell is gone in which npm has started this process: npm hands a signal on to that alone. */
  onGone(act: () => void): void;
}

export interface EndSignals {
  /** Called once, when this process is to end. */
  first(signal: NodeJS.Signals): void;
  /** Called when it is asked once more: it is to end at once. */
  again(): void;
  npm: Npm | undefined;
}

/** Interval between checks that the shell is still there, in milliseconds. */
const lookEvery = 1_000;
/** Ctrl-C reaches everyone, and npm repeats it for its own process: within so many milliseconds that is one signal. */
const oneSignal = 1_000;

/** Finds out whether npm has started this process, and remembers by whom it did. */
export function findNpm(environment: Record<string, string | undefined>): Npm | undefined {
  if (environment.npm_command !== "exec" && environment.npm_lifecycle_event === undefined) return undefined;
  const shell = process.ppid;
  return {
    onGone(act) {
      const timer = setInterval(() => {
        // A process that loses its parent gets another one.
        if (process.ppid === shell) return;
        clearInterval(timer);
        act();
      }, lookEvery);
      timer.unref();
    },
  };
}

/** Calls back on the signals that end this process. */
export function onEndSignals({ first, again, npm }: EndSignals): void {
  let firstAt: number | undefined;
  function begin(signal: NodeJS.Signals): void {
    firstAt = performance.now();
    first(signal);
  }
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (firstAt === undefined) begin(signal);
      else if (!npm || performance.now() - firstAt >= oneSignal) again();
    });
  }
  npm?.onGone(() => {
    if (firstAt === undefined) begin("SIGTERM");
  });
}
