import { createHash, randomUUID } from "node:crypto";
import type { AuditEventV1 } from "@holdfast/api/resources/audit-events";
import type { Sealer } from "../../access/seal";
import type { Queries } from "../../database/database";

/** Who did something. */
export type AuditActor = AuditEventV1["actor"];

/** Something that was done or refused, before it is a link of the chain. */
export interface AuditEntry {
  at: number;
  actor: AuditActor;
  operation: string;
  object: AuditEventV1["object"];
  unitId: string | null;
  requestId: string | null;
  result: AuditEventV1["result"];
  reason?: string;
  /** How many alike it stands for. */
  count?: number;
  before?: unknown;
  after?: unknown;
}

/** What stands before the first event. */
export const firstPreviousHash = "0".repeat(64);
export const headPurpose = "audit head";

/**
 * Adds an event to the chain, in the transaction of what it tells of: one is not there without the other. To be called in
 * changes that are made one after the other, so that no two events follow the same one.
 */
export async function recordEvent(db: Queries, sealer: Sealer, entry: AuditEntry): Promise<void> {
  const head = await db.selectFrom("audit_head").select(["count", "hash"]).where("id", "=", 1).executeTakeFirst();
  const number = (head?.count ?? 0) + 1;
  const previous_hash = head?.hash ?? firstPreviousHash;
  const id = randomUUID();
  const content: Omit<AuditEventV1, "hash" | "_links"> = {
    id,
    number,
    created_timestamp: new Date(entry.at).toISOString(),
    actor: entry.actor,
    operation: entry.operation,
    object: entry.object,
    organizational_unit_id: entry.unitId,
    request_id: entry.requestId,
    result: entry.result,
    reason: entry.reason ?? null,
    count: entry.count ?? 1,
    before: entry.before ?? null,
    after: entry.after ?? null,
    previous_hash,
  };
  const document = JSON.stringify(content);
  const hash = hashOf(document);
  await db
    .insertInto("audit_events")
    .values({
      number,
      id,
      created_at: entry.at,
      operation: entry.operation,
      result: entry.result,
      actor_user_id: entry.actor.user_id,
      actor_token_id: entry.actor.token_id,
      object_type: entry.object?.type ?? null,
      object_id: entry.object?.id ?? null,
      organizational_unit_id: entry.unitId,
      document,
      hash,
    })
    .execute();
  const sealed = sealer.seal(JSON.stringify([number, hash]), headPurpose);
  await db
    .insertInto("audit_head")
    .values({ id: 1, count: number, hash, sealed })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ count: number, hash, sealed }))
    .execute();
}

/** The hash of an event's content, which has the hash of the event before in it. */
export function hashOf(document: string): string {
  return createHash("sha256").update(document).digest("hex");
}
