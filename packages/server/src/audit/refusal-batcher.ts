import type { AuditActor, AuditEntry } from "./record-event";

/** Something that was refused. */
export interface RefusedEntry extends AuditEntry {
  /** The user concerned, for events in the units of their roles: looked up when the event is written, not during the request. */
  aboutUser?: string | undefined;
}

/** A refusal, or several that are counted together. */
export interface CountedRefusal extends RefusedEntry {
  count: number;
}

/** Refusals of a while: however many there were, and whatever they were of, there are few entries. */
export interface RefusalBatcher {
  add(entry: RefusedEntry): void;
  entries(): CountedRefusal[];
}

const maxKinds = 100;
const maxKindsPerActor = 20;
const maxActors = 100;
const maxAccounts = 100;

const sumOperation = "many";
const nobody: AuditActor = { kind: "nobody", user_id: null, token_id: null, address: null };

/**
 * Gathers refusals and counts each once, alike ones together. Above the limits, fewer fields are distinguished, and who
 * was refused is given up last: a caller cannot hide by causing many refusals.
 */
export function createRefusalBatcher(): RefusalBatcher {
  const kinds = new Map<string, CountedRefusal>();
  const kindsOfOne = new Map<string, number>();
  const actors = new Map<string, CountedRefusal>();
  const accounts = new Map<string, CountedRefusal>();
  const others = new Map<string, CountedRefusal>();

  function countKind(entry: RefusedEntry): boolean {
    if (entry.operation === sumOperation) return false;
    const actor = JSON.stringify(entry.actor);
    const soFar = kindsOfOne.get(actor) ?? 0;
    const before = kinds.size;
    const isCounted = countIn(kinds, soFar < maxKindsPerActor ? maxKinds : 0, entry);
    if (kinds.size > before) kindsOfOne.set(actor, soFar + 1);
    return isCounted;
  }

  return {
    add(entry) {
      const isCounted =
        countKind(entry) ||
        countIn(actors, maxActors, { ...sumOf(entry, entry.actor), unitId: entry.unitId }) ||
        countIn(accounts, maxAccounts, sumOf(entry, accountOf(entry.actor)));
      if (!isCounted) countIn(others, 1, sumOf(entry, nobody));
    },
    entries: () => [kinds, actors, accounts, others].flatMap((counted) => [...counted.values()]),
  };
}

/** Counts an entry among those that are there, or beside them where there are not too many. Tells whether it was. */
function countIn(counted: Map<string, CountedRefusal>, max: number, entry: RefusedEntry): boolean {
  const { actor, operation, unitId, object, reason, count = 1 } = entry;
  const key = JSON.stringify([actor, operation, unitId, object, reason]);
  const known = counted.get(key);
  if (known) known.count += count;
  else if (counted.size < max) counted.set(key, { ...entry, count });
  else return false;
  return true;
}

/** Entry for refusals that are counted together. */
function sumOf(entry: RefusedEntry, actor: AuditActor): RefusedEntry {
  const dropped = { object: null, unitId: null, requestId: null, aboutUser: undefined };
  return { ...entry, ...dropped, actor, operation: sumOperation, reason: "many refusals" };
}

/** Who it was, whatever address they came from, and with whichever of their own tokens. */
function accountOf({ kind, user_id, token_id }: AuditActor): AuditActor {
  return { kind, user_id, token_id: user_id === null ? token_id : null, address: null };
}
