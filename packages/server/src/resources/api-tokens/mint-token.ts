import { refuse } from "@holdfast/api/conventions/api-error";
import { FieldChecks } from "@holdfast/api/conventions/texts";
import { parseTimestamp } from "@holdfast/api/conventions/timestamp";
import { requireHeld } from "../../access/grantable";
import { readPermissions } from "../../access/role-permissions";
import { isActive } from "../../access/tokens/active-tokens";
import { defaultTokenLife, longestTokenLife } from "../../access/tokens/token-life";
import type { ChangeCall } from "../../operations/change";
import { usableRoles } from "../roles/list-roles";
import { createToken, type NewToken } from "./store";

/** How many tokens may be good at a time: of a person, and of the services of a unit. */
const mostActive = { personal: 100, service: 1000 } as const;
const shortestLife = 1000;

/** A token that a caller wants: a personal one where no role is named, for the caller alone. */
export interface WantedToken {
  name: string;
  unitId: string;
  roleId: string | undefined;
  /** As it was sent. */
  expires: string | undefined;
}

/** Creates a token with no more permissions and no longer life than its creator's. */
export async function mintToken(call: ChangeCall, { name, unitId, roleId, expires }: WantedToken) {
  const { db, parts, now, caller } = call;
  await requireCovered(call, unitId);
  const holder = roleId === undefined ? personalHolder(call) : await serviceHolder(call, unitId, roleId);
  const life = readLife(call, expires);
  await requireRoom(call, unitId, holder);
  return createToken(db, parts.sealer, {
    baseUrl: parts.baseUrl,
    now,
    token: { name, unitId, holder, createdBy: caller.userId, life },
  });
}

function personalHolder({ caller }: ChangeCall): NewToken["holder"] {
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
    throw refuse("bodyInvalid", 'The field "role_id" has to be a role that can be held in the organizational unit.');
  }
  requireHeld(held, readPermissions(role.permissions));
  return { kind: "service", roleId };
}

/** The same refusal for a unit that does not exist and one that is not the caller's, as for the unit header. */
async function requireCovered({ permissionsIn }: ChangeCall, unitId: string): Promise<void> {
  if ((await permissionsIn(unitId)).size > 0) return;
  throw refuse(
    "unitForbidden",
    "You hold no role in this organizational unit, or it does not exist. Name another one.",
  );
}

/** How long the token lives, in milliseconds: never beyond the one that it is made with. */
function readLife({ now, caller }: ChangeCall, expires: string | undefined): number {
  const latest = caller.goodUntil ?? Number.POSITIVE_INFINITY;
  if (expires === undefined) return requireLife(Math.min(defaultTokenLife, latest - now));
  const wanted = parseTimestamp(expires)?.milliseconds ?? Number.NaN;
  const life = requireLife(wanted - now);
  if (wanted > latest) {
    throw refuse("grantForbidden", "A token that is made with a token cannot live longer than that one. Ask for less.");
  }
  return life;
}

function requireLife(life: number): number {
  const checks = new FieldChecks();
  if (!(life >= shortestLife && life <= longestTokenLife)) {
    checks.fail("expires_timestamp", "an RFC 3339 timestamp from the next second on, at most two years away");
  }
  checks.finish();
  return life;
}

/** Changes are serial, so the limit cannot be exceeded by concurrent requests. */
async function requireRoom({ db, now }: ChangeCall, unitId: string, holder: NewToken["holder"]): Promise<void> {
  const good = db
    .selectFrom("api_tokens")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where(isActive(now));
  const { count } = await (holder.kind === "personal"
    ? good.where("user_id", "=", holder.userId)
    : good.where("organizational_unit_id", "=", unitId).where("kind", "=", "service")
  ).executeTakeFirstOrThrow();
  if (count < mostActive[holder.kind]) return;
  const whose = holder.kind === "personal" ? "You have" : "The organizational unit has";
  throw refuse("tooMany", `${whose} ${mostActive[holder.kind]} tokens that are good. Revoke what is not needed first.`);
}
