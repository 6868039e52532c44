import { ApiError } from "@holdfast/api/conventions/api-error";
import type { Database } from "../../../database/database";
import { createReportBatcher } from "../../../operations/report-batcher";
import type { Sealer } from "../../../secrets/seal";
import type { Recorder } from "../../../telemetry/registry";
import { countWritten } from "../../tasks/reports/count-reports";
import type { FollowTasks } from "../../tasks/reports/follow-tasks";
import { type AppliedPing, applyPing, type ReceivedPing } from "./apply-ping";
import { findPinged } from "./find-pinged";
import { nothingToPing, type Ping } from "./ping";
import { createPingLimits } from "./ping-limits";

export interface PingInletParts {
  database: Database;
  sealer: Sealer;
  clock: () => number;
  taskLogLimit: number;
  metrics: Recorder;
  follow: FollowTasks;
}

/** Receiver of pings. */
export interface PingInlet {
  /** The refusal of a ping whose address leads nowhere, which is counted. */
  missed(address: string): Error;
  /** Refuses a ping that reaches nothing, or comes too often, before its body is read. */
  admit(ping: Ping, address: string): Promise<void>;
  /** Does what a ping says, and gives whether it made its monitor. */
  receive(ping: ReceivedPing, address: string): Promise<{ isCreated: boolean }>;
}

/** Makes the inlet. Pings that come together are written together. */
export function createPingInlet({ database, sealer, clock, taskLogLimit, metrics, follow }: PingInletParts): PingInlet {
  const limits = createPingLimits(() => performance.now());
  const queue = createReportBatcher<ReceivedPing, AppliedPing | ApiError>(database, async (db, pings) => {
    const applied: (AppliedPing | ApiError)[] = [];
    for (const ping of pings) {
      applied.push(await applyPing(db, ping, { sealer, now: clock(), taskLogLimit, follow }));
    }
    return applied;
  });

  return {
    missed: limits.missed,
    async admit({ target }, address) {
      const isCounted = limits.admit(target, address);
      const { monitor, key } = await database.snapshot((db) => findPinged(db, target, clock()));
      if (monitor) return limits.found(target, monitor.id, isCounted);
      const mayCreate = !("urlHash" in target) && target.mayCreate && key?.may_create === 1;
      if (!mayCreate) throw limits.missed(address);
    },
    async receive(ping, address) {
      const [applied] = await queue.write([ping], { size: ping.body.length, canWait: false });
      if (applied === undefined) throw new Error("A ping was written without a result.");
      if (applied instanceof ApiError) {
        // It was there when the ping came, and is gone now.
        throw applied.faults[0].name === nothingToPing().faults[0].name ? limits.missed(address) : applied;
      }
      countWritten(metrics, applied.written);
      if (applied.isCreated) limits.found(ping.target, applied.monitorId, false);
      return { isCreated: applied.isCreated };
    },
  };
}
