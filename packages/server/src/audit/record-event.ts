import { createHash, randomUUID } from "node:crypto";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import type { AuditEventV1 } from "@holdfast/api/resources/audit-events";
import type { Queries } from "../database/database";
import { DatabaseBroken, DatabaseUnavailable } from "../database/errors";
import type { Sealer } from "../secrets/seal";
import { type ChainHead, openHead, writeHead } from "./chain-head";
import { type Names, readNames } from "./names";

/** Who did something. The name is found when it is written down. */
export type AuditActor = Omit<AuditEventV1["actor"], "name">;

/** Object of an action. */
export type AuditObject = Omit<NonNullable<AuditEventV1["object"]>, "name">;

/** Something that was done or refused, before it is a link of the chain. */
export interface AuditEntry {
  at: number;
  actor: AuditActor;
  operation: string;
  object: AuditObject | null;
  unitId: string | null;
  requestId: string | null;
  result: AuditEventV1["result"];
  reason?: string;
  /** Number of alike events that it stands for. */
  count?: number;
  before?: unknown;
  after?: unknown;
}

/** An event as it is hashed: without its own hash, and without links. Those of older versions have no names. */
export interface AuditContent extends Omit<AuditEventV1, "hash" | "_links" | "actor" | "object"> {
  actor: AuditActor & Named;
  object: (AuditObject & Named) | null;
}

interface Named {
  name?: string | null | undefined;
}

const eventsPerStatement = 100;

/** A change without an audit event is refused. */
export class AuditUnwritable extends DatabaseUnavailable {
  constructor(message: string, cause: unknown) {
    super(message, { cause, failure: "audit_unwritable" });
  }
}

/**
 * Adds an event to the chain, in the transaction of its change: both are committed, or neither. To be called in
 * changes that are made one after the other, so that no two events follow the same one. Where it cannot be written, the
 * change fails as if the database were away.
 */
export async function recordEvent(db: Queries, sealer: Sealer, entry: AuditEntry): Promise<void> {
  await recordEvents(db, sealer, [entry]);
}

/** Adds several events to the chain, in their order, in few statements. */
export async function recordEvents(db: Queries, sealer: Sealer, entries: readonly AuditEntry[]): Promise<void> {
  try {
    await addLinks(db, sealer, entries);
  } catch (error) {
    if (error instanceof DatabaseUnavailable || error instanceof DatabaseBroken) throw error;
    const reason = errorMessage(error);
    throw new AuditUnwritable(`Nothing was done, because the audit event could not be written: ${reason}.`, error);
  }
}

async function addLinks(db: Queries, sealer: Sealer, entries: readonly AuditEntry[]): Promise<void> {
  let head = await openHead(db, sealer);
  const names = await readNames(db, entries);
  for (let from = 0; from < entries.length; from += eventsPerStatement) {
    const rows = entries.slice(from, from + eventsPerStatement).map((entry) => {
      const content = follow(head, entry, names);
      const document = writeDocument(content);
      head = { count: content.number, hash: hashOf(document) };
      return { ...searchColumns(content), document, hash: head.hash };
    });
    await db.insertInto("audit_events").values(rows).execute();
  }
  await writeHead(db, sealer, head);
}

/** An event as it follows the end of the chain. */
function follow(head: ChainHead, entry: AuditEntry, names: Names): AuditContent {
  return {
    id: randomUUID(),
    number: head.count + 1,
    created_timestamp: new Date(entry.at).toISOString(),
    actor: { ...entry.actor, name: names.ofActor(entry) },
    operation: entry.operation,
    object: entry.object && {
      type: entry.object.type,
      id: storable(entry.object.id),
      name: names.ofObject(entry),
    },
    organizational_unit_id: entry.unitId,
    request_id: entry.requestId,
    result: entry.result,
    reason: entry.reason ?? null,
    count: entry.count ?? 1,
    before: entry.before ?? null,
    after: entry.after ?? null,
    previous_hash: head.hash,
  };
}

/** The columns that events are found by: all of them stand in the document, too. */
export function searchColumns(content: AuditContent) {
  return {
    number: content.number,
    id: content.id,
    created_at: Date.parse(content.created_timestamp),
    operation: content.operation,
    result: content.result,
    actor_user_id: content.actor.user_id,
    actor_token_id: content.actor.token_id,
    object_type: content.object?.type ?? null,
    object_id: content.object?.id ?? null,
    organizational_unit_id: content.organizational_unit_id,
  };
}

/** The hash of an event's document, which has the hash of the event before in it. */
export function hashOf(document: string): string {
  return createHash("sha256").update(document).digest("hex");
}

/** Writes an event as JSON on one line, for every reader: JSON leaves some line breaks and terminal controls as they are. */
function writeDocument(content: AuditContent): string {
  return JSON.stringify(content).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A requested id may be no id at all, and hold what no database stores. */
function storable(id: string | null): string | null {
  return id === null ? null : id.toWellFormed().replaceAll("\0", "\ufffd");
}
