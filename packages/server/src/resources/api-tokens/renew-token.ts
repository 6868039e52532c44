import { refuse } from "@holdfast/api/conventions/api-error";
import { apiTokenBodies } from "@holdfast/api/resources/api-tokens";
import { maxTokenLifeMs } from "../../access/tokens/token-life";
import { unitAndAbove } from "../../access/unit-paths";
import type { Queries } from "../../database/database";
import { type ChangeImplementation, implementChange } from "../../operations/change";
import { type ApiTokenRow, readOwnToken } from "./list-tokens";
import { requireRoom } from "./mint-token";
import { presentApiTokenV1 } from "./present";
import { createToken } from "./store";

const day = 86_400_000;
/** A run that began with the old token can take days, and reports with it until its end. */
const defaultOverlapSeconds = 604_800;

/**
 * Renews the service token of the request. The new one has the same name, role and unit, and lives as long as the old one was made
 * for, but never longer than token_renewal_days after somebody else has last given it: it gains nothing but time, and no more of
 * that than the operator allows.
 */
export const renewApiToken: ChangeImplementation = implementChange(apiTokenBodies.renew, async (call, body) => {
  const { db, now, caller, parts } = call;
  const row = await readOwnToken(db, caller.tokenId);
  if (!row || row.role_id === null)
    throw refuse("stateConflict", "This token has ended. Ask an administrator for a new one.");
  const chain = await readChain(db, row);
  if (row.ends_at !== null) await discardUnused(db, row, chain.firstId, now);
  const life = lifeOfNext(row, chain.grantedAt + parts.tokenRenewalDays * day, now);
  const overlap = body.overlap_seconds ?? defaultOverlapSeconds;
  const endsAt = Math.min(now + overlap * 1000, row.ends_at ?? row.expires_at);
  await db
    .updateTable("api_tokens")
    .set(overlap === 0 ? { revoked_at: now } : { ends_at: endsAt })
    .where("id", "=", row.id)
    .execute();
  const holder = { kind: "service", roleId: row.role_id } as const;
  await requireRoom(call, await unitAndAbove(db, row.organizational_unit_id), holder);
  const { id, token } = await createToken(db, parts.sealer, {
    baseUrl: parts.baseUrl,
    now,
    token: { name: row.name, unitId: row.organizational_unit_id, holder, createdBy: row.created_by, life, chain },
  });
  const made = await readOwnToken(db, id);
  if (!made) throw new Error("A token that was just written is not there.");
  const after = presentApiTokenV1(made, parts);
  return {
    object: { type: "api-token", id: row.id },
    unitId: row.organizational_unit_id,
    before: presentApiTokenV1(row, parts),
    after,
    body: JSON.stringify(after),
    once: { token },
    location: `/api-tokens/${id}`,
  };
});

/** The first token of the chain that a token is of, and when the right was last given by somebody else. */
async function readChain(db: Queries, { id }: ApiTokenRow): Promise<{ firstId: string; grantedAt: number }> {
  const row = await db
    .selectFrom("api_tokens")
    .select(["first_id", "granted_at", "created_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return { firstId: row.first_id ?? id, grantedAt: row.granted_at ?? row.created_at };
}

/**
 * Revokes what an earlier renewal has made if nobody has used it: its answer was lost on the way. A token that was rotated by
 * somebody else, or whose successor is in use, cannot be renewed again.
 */
async function discardUnused(db: Queries, row: ApiTokenRow, firstId: string, now: number): Promise<void> {
  const successors = await db
    .selectFrom("api_tokens")
    .select(["id", "granted_at", "last_used_at"])
    .where("first_id", "=", firstId)
    .where("created_at", ">=", row.created_at)
    .where("id", "<>", row.id)
    .where("revoked_at", "is", null)
    .execute();
  if (successors.some(({ granted_at, last_used_at }) => granted_at === null || last_used_at !== null)) {
    throw refuse("stateConflict", "This token was replaced already. Use the new one.");
  }
  const ids = successors.map(({ id }) => id);
  if (ids.length > 0) await db.updateTable("api_tokens").set({ revoked_at: now }).where("id", "in", ids).execute();
}

function lifeOfNext({ created_at, expires_at }: ApiTokenRow, latest: number, now: number): number {
  if (latest > expires_at) return Math.min(expires_at - created_at, maxTokenLifeMs, latest - now);
  throw refuse(
    "stateConflict",
    "This token cannot renew itself any longer: the setting token_renewal_days limits for how long. Ask an administrator to rotate it, or for a new one.",
  );
}
