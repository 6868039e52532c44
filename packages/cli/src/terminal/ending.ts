/** Why a command that runs until it is ended has ended: by a key or a signal. */
export interface Ending {
  signal: AbortSignal;
  /** Gives the keyboard and the signals back. */
  release(): void;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const endKeys = ["q", "Q", "\x03", "\x1b"];

/** Calls for an end on Ctrl-C, on signals, and on q where the keyboard is a terminal. */
export function untilEnded({ withKeys }: { withKeys: boolean }): Ending {
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of signals) process.on(signal, end);
  const { stdin } = process;
  const hasKeys = withKeys && stdin.isTTY === true;
  const onKey = (key: Buffer) => {
    if (endKeys.includes(key.toString())) end();
  };
  if (hasKeys) {
    stdin.setRawMode(true);
    stdin.on("data", onKey);
    stdin.resume();
  }
  return {
    signal: stop.signal,
    release() {
      for (const signal of signals) process.off(signal, end);
      if (!hasKeys) return;
      stdin.off("data", onKey);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
