import { refuse } from "@holdfast/api/conventions/api-error";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { FieldChecks } from "@holdfast/api/conventions/texts";
import { canonicalId, parseUuid } from "@holdfast/api/conventions/uuid";
import { apiTokenBodies } from "@holdfast/api/resources/api-tokens";
import { z } from "zod";
import { defaultTokenLifeMs } from "../../access/tokens/token-life";
import { canBeStored } from "../../lists/comparisons";
import { type ChangeCall, type Changed, type ChangeImplementation, implementChange } from "../../operations/change";
import { variableOf } from "../../operations/path-variables";
import { type ApiTokenRow, findToken } from "./list-tokens";
import { mintToken } from "./mint-token";
import { presentApiTokenV1 } from "./present";
import { revokeToken } from "./store";
import { requirePowerOver } from "./token-power";

export const createApiToken: ChangeImplementation = implementChange(apiTokenBodies.create, async (call, body) => {
  const checks = new FieldChecks();
  const name = checks.line("name", body.name, textLimits.name);
  const unitId = readId(checks, "organizational_unit_id", body.organizational_unit_id ?? call.scope.unitId);
  const roleId = body.role_id === undefined ? undefined : readId(checks, "role_id", body.role_id);
  if (body.kind === "service" && roleId === undefined) checks.fail("role_id", "given for a service token");
  if (body.kind === "personal" && roleId !== undefined) {
    checks.fail("role_id", "left out for a personal token, which has the roles of its user");
  }
  checks.finish();
  const { id, token } = await mintToken(call, {
    name,
    unitId,
    roleId,
    expires: body.expires_timestamp,
    defaultExpiry: call.now + defaultTokenLifeMs,
  });
  return answerNew(call, id, token, unitId);
});

export const updateApiToken: ChangeImplementation = implementChange(apiTokenBodies.update, async (call, body) => {
  const row = await requireToken(call);
  const before = presentApiTokenV1(row, call.parts);
  call.requireMatch(JSON.stringify(before));
  const checks = new FieldChecks();
  const name = body.name === undefined ? row.name : checks.line("name", body.name, textLimits.name);
  checks.finish();
  await requirePowerOver(call, row, "rename");
  await call.db
    .updateTable("api_tokens")
    .set({ name, name_folded: foldCase(name) })
    .where("id", "=", row.id)
    .execute();
  const after = await show(call, row.id);
  return { ...auditTarget(row), before, after, body: JSON.stringify(after) };
});

export const rotateApiToken: ChangeImplementation = implementChange(apiTokenBodies.rotate, async (call, body) => {
  const { db, now } = call;
  const row = await requireToken(call);
  const before = presentApiTokenV1(row, call.parts);
  call.requireMatch(JSON.stringify(before));
  const overlap = body.overlap_seconds ?? 0;
  await requirePowerOver(call, row, "rotate");
  if (row.revoked_at !== null || row.ends_at !== null || row.expires_at <= now) {
    throw refuse("stateConflict", "This token was rotated or revoked, or has expired. Create a new one.");
  }
  // The old one ends first, so that the new one may be made where no more are allowed.
  const end = overlap === 0 ? { revoked_at: now } : { ends_at: Math.min(now + overlap * 1000, row.expires_at) };
  await db.updateTable("api_tokens").set(end).where("id", "=", row.id).execute();
  const { id, token } = await mintToken(call, {
    name: row.name,
    unitId: row.organizational_unit_id,
    roleId: row.role_id ?? undefined,
    expires: body.expires_timestamp,
    // A new secret for the same access: to let it last longer is a decision of its own.
    defaultExpiry: row.expires_at,
  });
  await db
    .updateTable("api_tokens")
    .set((eb) => ({
      first_id: eb
        .selectFrom("api_tokens as old")
        .select((old) => old.fn.coalesce("old.first_id", "old.id").as("first_id"))
        .where("old.id", "=", row.id),
    }))
    .where("id", "=", id)
    .execute();
  const made = await answerNew(call, id, token, row.organizational_unit_id);
  return { ...made, ...auditTarget(row), before };
});

export const revokeApiToken: ChangeImplementation = implementChange(z.object({}), async (call): Promise<Changed> => {
  const row = await requireToken(call);
  const before = presentApiTokenV1(row, call.parts);
  call.requireMatch(JSON.stringify(before));
  await requirePowerOver(call, row, "revoke");
  await revokeToken(call.db, row.id, call.now);
  return { ...auditTarget(row), before, after: await show(call, row.id) };
});

/** The token that the path names, if it is the caller's own or one that the caller manages. */
async function requireToken({ db, scope, variables }: ChangeCall): Promise<ApiTokenRow> {
  const id = canonicalId(variableOf(variables, "api_token_id"));
  const row = canBeStored(id) ? await findToken(db, scope, id) : undefined;
  if (!row) throw refuse("itemUnknown", "There is no such API token, or you may not see it.");
  return row;
}

async function show({ db, scope, parts }: ChangeCall, id: string) {
  const row = await findToken(db, scope, id);
  if (!row) throw new Error("A token that was just written is not there.");
  return presentApiTokenV1(row, parts);
}

async function answerNew(call: ChangeCall, id: string, token: string, unitId: string): Promise<Changed> {
  // It may have been made in a unit that is not below the one that is acted in.
  const after = await show({ ...call, scope: { ...call.scope, unitId } }, id);
  return {
    object: { type: "api-token", id },
    unitId,
    after,
    body: JSON.stringify(after),
    once: { token },
    location: `/api-tokens/${id}`,
  };
}

/** Target of a change in the audit trail. */
function auditTarget(row: ApiTokenRow): Pick<Changed, "object" | "unitId"> {
  return { object: { type: "api-token", id: row.id }, unitId: row.organizational_unit_id };
}

function readId(checks: FieldChecks, field: string, text: string): string {
  const id = parseUuid(text);
  if (id === undefined) checks.fail(field, "a UUID");
  return id ?? "";
}
