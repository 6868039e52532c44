import type { Sealer } from "../../access/seal";
import type { Database } from "../../database/database";
import type { Log } from "../log";
import { type AuditEntry, recordEvent } from "./record-event";

/** Writes refusals into the audit trail. Alike ones of a second are one event with a count: a flood stays small. */
export interface Refusals {
  note(entry: AuditEntry): void;
  /** Writes down what is still only remembered. */
  flush(): Promise<void>;
}

const delay = 1_000;
const mostKinds = 100;

export function createRefusals(database: Database, sealer: Sealer, log: Log): Refusals {
  let pending = new Map<string, AuditEntry & { count: number }>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function add(key: string, entry: AuditEntry): void {
    const known = pending.get(key);
    if (known) known.count += entry.count ?? 1;
    else pending.set(key, { ...entry, count: entry.count ?? 1 });
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const entries = [...pending.values()];
    pending = new Map();
    if (entries.length === 0) return;
    try {
      await database.change(async (db) => {
        for (const entry of entries) await recordEvent(db, sealer, entry);
      });
    } catch (error) {
      for (const entry of entries) add(keyOf(entry), entry);
      timer ??= setTimeout(flush, delay);
      log.warn("Refusals could not be written into the audit trail yet.", {
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  return {
    note(entry) {
      const key = keyOf(entry);
      // Whoever varies what is refused cannot make it more than so many events a second: the rest are told of together.
      const isNew = !pending.has(key);
      add(
        isNew && pending.size >= mostKinds ? "others" : key,
        isNew && pending.size >= mostKinds ? others(entry) : entry,
      );
      timer ??= setTimeout(flush, delay);
    },
    flush,
  };
}

function keyOf({ actor, operation, unitId, object, reason }: AuditEntry): string {
  return JSON.stringify([actor.user_id, actor.token_id, actor.address, operation, unitId, object, reason]);
}

function others(entry: AuditEntry): AuditEntry {
  const actor = { kind: "nobody", user_id: null, token_id: null, address: null };
  return { ...entry, actor, operation: "many", object: null, unitId: null, requestId: null, reason: "many refusals" };
}
