import { errorMessage } from "@holdfast/api/conventions/error-message";
import type { Database } from "../../../database/database";
import { DatabaseBroken, DatabaseUnavailable } from "../../../database/errors";
import type { Log } from "../../../telemetry/log";
import { renewLeases } from "./lease-store";

/** Renewals of leases, gathered. */
export interface HeartbeatBatcher {
  /** Notes that the runner of a task was heard of. A crash loses at most what was noted within the last second. */
  note(taskId: string): void;
  /** Writes down what was noted. Gives whether that was possible; fails where the database can no longer be trusted. */
  flush(): Promise<boolean>;
}

/** Gathers renewals: many heartbeats become one statement. */
export function createHeartbeatBatcher(database: Pick<Database, "change">, log: Log): HeartbeatBatcher {
  let noted = new Set<string>();
  let hasFailed = false;

  return {
    note(taskId) {
      noted.add(taskId);
    },
    async flush() {
      if (noted.size === 0) return true;
      const renewed = noted;
      noted = new Set();
      try {
        await database.change((db) => renewLeases(db, [...renewed]), { kind: "maintenance" });
        hasFailed = false;
        return true;
      } catch (error) {
        if (error instanceof DatabaseBroken) throw error;
        for (const taskId of renewed) noted.add(taskId);
        // A database that is away has been logged where it was noticed.
        if (!hasFailed && !(error instanceof DatabaseUnavailable)) {
          log.warn("Heartbeats could not be written down. Runners get more time.", { error: errorMessage(error) });
        }
        hasFailed = true;
        return false;
      }
    },
  };
}
