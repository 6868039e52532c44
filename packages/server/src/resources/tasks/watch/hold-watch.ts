import type { Log } from "../../../telemetry/log";

/** Notices that a transaction that was left open in PostgreSQL holds back the streams. */
export interface HoldWatch {
  /** Notes the oldest open transaction that changes wait for, each time changes are read; null if they wait for none. */
  note(openTransaction: number | null): void;
  isHeldBack(): boolean;
}

/** The time after which one transaction is reported, in milliseconds. */
const maxHoldMs = 5_000;

/** Makes a watch, which logs the beginning and the end of each hold once. */
export function createHoldWatch(log: Log, monotonic: () => number): HoldWatch {
  let hold: { transaction: number; since: number; isReported: boolean } | undefined;
  return {
    note(transaction) {
      if (transaction === hold?.transaction) {
        if (hold === undefined || hold.isReported || monotonic() - hold.since < maxHoldMs) return;
        hold.isReported = true;
        log.warn("A transaction that is open in PostgreSQL holds back the streams of tasks. End it.", {
          detail: `pg_stat_activity.backend_xid = ${hold.transaction % 2 ** 32}`,
        });
        return;
      }
      if (hold?.isReported) log.info("The streams of tasks go on: the transaction has ended.");
      hold = transaction === null ? undefined : { transaction, since: monotonic(), isReported: false };
    },
    isHeldBack: () => hold?.isReported === true,
  };
}
