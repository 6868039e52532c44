import type { TakenSpoolFile } from "../spool/spool-file";
import type { Moment } from "../spool/spooled-report";

/** The report about a run whose runner has ended without a word: its last sign of life, and possible causes. */
export interface Loss {
  at: { wallMs: number; monotonicMs: number | null };
  error: { code: "runner_lost"; message: string; remedy: string };
}

/** Reads from what a runner has left when and how it was lost. */
export function lossOf(taken: Pick<TakenSpoolFile, "contents" | "lastSignMs">, now: Moment): Loss {
  const { header, newest } = taken.contents;
  const isSameBoot = header.boot_id !== null && header.boot_id === now.bootId;
  // A clock that was set back in between must not put the end before the last report.
  const wallMs = Math.min(now.wallMs, Math.max(taken.lastSignMs, newest?.wall_ms ?? 0));
  const since = now.wallMs - wallMs;
  const monotonicMs = isSameBoot && now.monotonicMs !== null ? now.monotonicMs - since : null;
  const notBefore = isSameBoot ? (newest?.monotonic_ms ?? null) : null;
  return {
    at: { wallMs, monotonicMs: monotonicMs === null ? null : Math.max(monotonicMs, notBefore ?? monotonicMs) },
    error: { code: "runner_lost", ...(header.boot_id !== null && !isSameBoot ? restarted : killed) },
  };
}

const killed = {
  message: "The runner was killed while the command ran. How the command ended is not known.",
  remedy:
    "The host itself is up. See in its log what killed the runner, such as a lack of memory (journalctl -k) or a time limit, and whether the command has finished without it. Then run it again.",
};

const restarted = {
  message: "The host lost power or was restarted while the command ran. How the command ended is not known.",
  remedy: "See in the log of the host why it was restarted (journalctl -b -1), and run the command again.",
};
