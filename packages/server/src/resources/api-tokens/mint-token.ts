import { refuse, refuseField } from "@holdfast/api/conventions/api-error";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { FieldChecks } from "@holdfast/api/conventions/texts";
import { parseTimestamp } from "@holdfast/api/conventions/timestamp";
import { loadRoles } from "../../access/caller";
import { requireHeld } from "../../access/grantable";
import { requireCovered } from "../../access/rights";
import { readPermissions } from "../../access/role-permissions";
import { isActive } from "../../access/tokens/active-tokens";
import { maxTokenLifeMs } from "../../access/tokens/token-life";
import { unitAndAbove } from "../../access/unit-paths";
import type { ChangeCall } from "../../operations/change";
import { usableRoles } from "../roles/list-roles";
import { createToken, type NewToken } from "./store";

/** Maximum number of valid tokens of a person. */
const maxPersonal = 100;
const minLifeMs = 1000;

/** A token that a caller wants: a personal one where no role is named, for the caller alone. */
export interface WantedToken {
  name: string;
  unitId: string;
  roleId: string | undefined;
  /** As it was sent. */
  expires: string | undefined;
  /** When it expires where nothing was sent, in milliseconds. */
  defaultExpiry: number;
}

/** Makes a token that may do no more and lives no longer than the caller who asks for it. */
export async function mintToken(call: ChangeCall, { name, unitId, roleId, expires, defaultExpiry }: WantedToken) {
  const { db, parts, now, caller } = call;
  const path = await unitAndAbove(db, unitId);
  requireCovered(caller, path);
  const holder = roleId === undefined ? await personalHolder(call, path) : await serviceHolder(call, unitId, roleId);
  const life = readLife(call, expires, defaultExpiry);
  await requireRoom(call, path, holder);
  return createToken(db, parts.sealer, {
    baseUrl: parts.baseUrl,
    now,
    token: { name, unitId, holder, createdBy: caller.userId, life },
  });
}

/** Whose token it is: the caller's own, or that of the person whom the caller acts for. */
async function personalHolder(
  { db, caller, actingFor }: ChangeCall,
  path: readonly string[],
): Promise<NewToken["holder"]> {
  if (actingFor.userId !== undefined) {
    const userId = actingFor.userId;
    const user = await db.selectFrom("users").select("is_enabled").where("id", "=", userId).executeTakeFirst();
    if (!user) throw refuse("itemUnknown", "There is no such user, or you may not see it.");
    if (user.is_enabled === 0) throw refuse("stateConflict", "This user is disabled. Enable the user first.");
    requireCovered({ roles: await loadRoles(db, userId) }, path, "The user holds");
    return { kind: "personal", userId };
  }
  if (caller.userId !== null) return { kind: "personal", userId: caller.userId };
  throw refuse(
    "kindForbidden",
    "A service token cannot create a personal token. Create a service token, or sign in as a person.",
  );
}

async function serviceHolder(call: ChangeCall, unitId: string, roleId: string): Promise<NewToken["holder"]> {
  const held = await call.permissionsIn(unitId);
  if (!held.has("api-tokens:write")) {
    throw refuse(
      "permissionMissing",
      "This needs the permission api-tokens:write in the organizational unit. Ask an administrator for a role that has it.",
    );
  }
  const role = await usableRoles.find(call.db, { ...call.scope, unitId }, roleId);
  if (!role) {
    throw refuseField(
      "bodyInvalid",
      "/role_id",
      'The field "role_id" has to be a role that can be held in the organizational unit.',
    );
  }
  requireHeld(held, readPermissions(role.permissions));
  return { kind: "service", roleId };
}

/**
 * Lifetime of the token, in milliseconds: never beyond the one that it is made with. A person who is signed in may make
 * one that lives longer than the session.
 */
function readLife({ now, caller }: ChangeCall, expires: string | undefined, defaultExpiry: number): number {
  const latest = caller.kind === "session" ? Number.POSITIVE_INFINITY : (caller.goodUntil ?? Number.POSITIVE_INFINITY);
  if (expires === undefined) return requireLife(Math.min(defaultExpiry, latest) - now);
  const wanted = parseTimestamp(expires)?.milliseconds ?? Number.NaN;
  const life = requireLife(wanted - now);
  if (wanted > latest) {
    throw refuseField(
      "grantForbidden",
      "/expires_timestamp",
      "A token that is made with a token cannot live longer than that one. Ask for less.",
    );
  }
  return life;
}

function requireLife(life: number): number {
  const checks = new FieldChecks();
  if (!(life >= minLifeMs && life <= maxTokenLifeMs)) {
    checks.fail("expires_timestamp", "an RFC 3339 timestamp from the next second on, at most two years away");
  }
  checks.finish();
  return life;
}

/** Refuses one more token than may be good at a time. Changes are made one after the other, so none is made meanwhile. */
export async function requireRoom(
  call: ChangeCall,
  path: readonly string[],
  holder: NewToken["holder"],
): Promise<void> {
  const { actingFor, parts } = call;
  if (holder.kind === "service") {
    if ((await countOfUnits(call, path)) < parts.tokenLimit) return;
    throw refuse(
      "tooMany",
      `The organizational unit, or one above it, has ${parts.tokenLimit} tokens that are good. Revoke what is not needed, or ask the operator for a higher token_limit.`,
    );
  }
  const { count } = await activeTokens(call).where("user_id", "=", holder.userId).executeTakeFirstOrThrow();
  if (count < maxPersonal) return;
  const whose = actingFor.userId === undefined ? "You have" : "The user has";
  throw refuse("tooMany", `${whose} ${maxPersonal} tokens that are good. Revoke what is not needed first.`);
}

function activeTokens({ db, now }: ChangeCall) {
  return db
    .selectFrom("api_tokens")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where(isActive(now));
}

/**
 * Counts the service tokens of the fullest unit of a path and of the units below it: new units are no way around the
 * limit. The root counts its own alone, because all others are below it.
 */
async function countOfUnits(call: ChangeCall, path: readonly string[]): Promise<number> {
  const units = path.filter((id) => id !== rootUnitId);
  const ofServices = activeTokens(call).where("kind", "=", "service");
  if (units.length === 0) {
    return Number((await ofServices.where("organizational_unit_id", "=", rootUnitId).executeTakeFirstOrThrow()).count);
  }
  const counts = await ofServices
    .innerJoin("organizational_unit_paths", "organizational_unit_paths.unit_id", "api_tokens.organizational_unit_id")
    .where("ancestor_id", "in", units)
    .groupBy("ancestor_id")
    .execute();
  return Math.max(0, ...counts.map(({ count }) => Number(count)));
}
