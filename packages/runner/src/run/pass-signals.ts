import { constants } from "node:os";
import { ignoredSignals } from "../system/processes";

const passed = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGWINCH"] as const;
/** A terminal sends these to the whole group in its foreground. */
const fromTerminal: readonly string[] = ["SIGINT", "SIGQUIT", "SIGWINCH"];
/** These work where cron or a shell in the background has set them to be ignored. */
const alwaysHeeded: readonly string[] = ["SIGINT", "SIGQUIT"];

export interface SignalParts {
  /** True if the command is in our group, in the foreground of a terminal. */
  sharesTerminal: boolean;
  send: (signal: NodeJS.Signals) => void;
  /** Called for every signal, also for those that the terminal has sent to the command itself. */
  onSignal: (signal: NodeJS.Signals) => void;
}

/** The signals that were ignored when the runner was started, and have to stay so. */
export function signalsToIgnore(): ReadonlySet<string> {
  const ignored = ignoredSignals();
  return new Set(passed.filter((signal) => ignored.has(constants.signals[signal]) && !alwaysHeeded.includes(signal)));
}

/** Passes signals on to the command, each once. Gives the ones that were passed on so far. */
export function passSignals({ sharesTerminal, send, onSignal }: SignalParts): readonly string[] {
  const ignored = signalsToIgnore();
  const sent: string[] = [];
  for (const signal of passed) {
    if (ignored.has(signal)) continue;
    process.on(signal, () => {
      sent.push(signal);
      onSignal(signal);
      if (!sharesTerminal || !fromTerminal.includes(signal)) send(signal);
    });
  }
  return sent;
}
