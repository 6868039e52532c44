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
  let writing = Promise.resolve();

  function add(entry: AuditEntry): void {
    const { count = 1 } = entry;
    const known = pending.get(keyOf(entry));
    if (known) known.count += count;
    // Whoever varies what is refused cannot make it more than so many events a second: the rest are told of together.
    else if (pending.size < mostKinds || isSum(entry)) pending.set(keyOf(entry), { ...entry, count });
    else add(sumOf(entry));
  }

  async function write(): Promise<void> {
    const entries = [...pending.values()];
    pending = new Map();
    if (entries.length === 0) return;
    try {
      await database.change(async (db) => {
        for (const entry of entries) await recordEvent(db, sealer, entry);
      });
    } catch (error) {
      for (const entry of entries) add(entry);
      timer ??= setTimeout(flush, delay);
      log.warn("Refusals could not be written into the audit trail yet.", {
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // One after the other: whoever waits for this waits for what is being written already, too.
    writing = writing.then(write);
    return writing;
  }

  return {
    note(entry) {
      add(entry);
      timer ??= setTimeout(flush, delay);
    },
    flush,
  };
}

const sumOperation = "many";

/** What is left of a refusal that is told of together with others. */
function sumOf(entry: AuditEntry): AuditEntry {
  const actor = { kind: "nobody", user_id: null, token_id: null, address: null };
  return {
    ...entry,
    actor,
    operation: sumOperation,
    object: null,
    unitId: null,
    requestId: null,
    reason: "many refusals",
  };
}

function isSum({ operation }: AuditEntry): boolean {
  return operation === sumOperation;
}

function keyOf({ actor, operation, unitId, object, reason }: AuditEntry): string {
  return JSON.stringify([actor.user_id, actor.token_id, actor.address, operation, unitId, object, reason]);
}
