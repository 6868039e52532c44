import { errorMessage } from "@holdfast/api/conventions/error-message";
import { topUnit } from "../access/unit-paths";
import type { Database } from "../database/database";
import type { Sealer } from "../secrets/seal";
import type { Log } from "../telemetry/log";
import { type AuditEntry, recordEvents } from "./record-event";
import { createRefusalBatcher, type RefusedEntry } from "./refusal-batcher";

/** Writes refusals into the audit trail. Alike ones of a second are one event with a count: a flood stays small. */
export interface Refusals {
  note(entry: RefusedEntry): void;
  /** Writes down what is still only remembered. */
  flush(): Promise<void>;
}

const delay = 1_000;

export function createRefusals(database: Database, sealer: Sealer, log: Log): Refusals {
  let pending = createRefusalBatcher();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    const entries = pending.entries();
    pending = createRefusalBatcher();
    if (entries.length === 0) return;
    try {
      await database.change(async (db) => {
        const placed: AuditEntry[] = [];
        for (const { aboutUser, ...entry } of entries) {
          const unitId = aboutUser === undefined ? undefined : await topUnit(db, aboutUser);
          placed.push(unitId === undefined ? entry : { ...entry, unitId });
        }
        await recordEvents(db, sealer, placed);
      });
    } catch (error) {
      for (const entry of entries) pending.add(entry);
      timer ??= setTimeout(flush, delay);
      log.warn("Refusals could not be written into the audit trail yet.", {
        error: errorMessage(error),
      });
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // Serial: a flush also waits for the write in progress.
    writing = writing.then(write);
    return writing;
  }

  return {
    note(entry) {
      pending.add(entry);
      timer ??= setTimeout(flush, delay);
    },
    flush,
  };
}
