import { errorMessage } from "@holdfast/api/conventions/error-message";
import type { Database } from "../database/database";
import { DatabaseUnavailable } from "../database/errors";
import type { Sealer } from "../secrets/seal";
import type { Log } from "../telemetry/log";
import { anchorPath, findRollback, readAnchor, rollbackAdvice, writeAnchor } from "./anchor";
import { openHead } from "./chain-head";

export interface AnchorParts {
  database: Database;
  sealer: Sealer;
  dataDir: string;
  log: Log;
  /** Delay before it looks again, in milliseconds. */
  pause?: number;
  /** Called after each comparison: whether the audit trail has what was noted. */
  onCompared?: (isThere: boolean) => void;
}

/** Keeps the anchor of the audit trail up to date, beside all requests. */
export interface AnchorKeeper {
  /** Looks for the last time. */
  stop(): Promise<void>;
}

const defaultPauseMs = 5_000;

/** Starts to note the newest event in the data directory. What was noted before has to be in the database still. */
export function keepAnchor({
  database,
  sealer,
  dataDir,
  log,
  pause = defaultPauseMs,
  onCompared = () => {},
}: AnchorParts): AnchorKeeper {
  const path = anchorPath(dataDir);
  const logged = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopping = false;
  let lookedAt: string | undefined;
  let running = look();

  async function look(): Promise<void> {
    try {
      await bringForward();
    } catch (error) {
      // An unavailable database is logged elsewhere.
      if (!(error instanceof DatabaseUnavailable)) {
        warnOnce(`The newest audit event could not be noted in ${path}. The service retries every few seconds.`, {
          error: errorMessage(error),
        });
      }
    }
    if (!isStopping) timer = setTimeout(lookAgain, pause).unref();
  }

  function lookAgain(): void {
    running = look();
  }

  async function bringForward(): Promise<void> {
    const anchor = await readAnchor(path, sealer);
    const state = JSON.stringify([anchor.sealed, (await database.dataVersions()).any]);
    if (state === lookedAt) return;
    const { head, rollback } = await database.snapshot(async (db) => {
      const head = await openHead(db, sealer);
      return { head, rollback: anchor.head && (await findRollback(db, head, anchor.head)) };
    });
    if (rollback !== undefined) {
      warnOnce(`The audit trail was rolled back. ${rollbackAdvice(path)}`, { detail: rollback });
    } else if (anchor.head?.count !== head.count) {
      if (anchor.sealed !== null && !anchor.head) {
        warnOnce(
          `The secret does not open ${path}, so the audit trail could not be compared with it. It is replaced. That is expected after a change of the secret.`,
        );
      }
      await writeAnchor(path, sealer, head);
    }
    lookedAt = state;
    onCompared(rollback === undefined);
  }

  function warnOnce(message: string, fields: { error?: string; detail?: string } = {}): void {
    if (logged.has(message)) return;
    logged.add(message);
    log.warn(message, fields);
  }

  return {
    async stop() {
      isStopping = true;
      await running;
      clearTimeout(timer);
      lookAgain();
      await running;
    },
  };
}
