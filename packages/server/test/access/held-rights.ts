import { readPermissions } from "../../src/access/role-permissions";
import type { Queries } from "../../src/database/database";

/** Everything that somebody may do, as "unit permission". */
export type Rights = ReadonlySet<string>;

export const noRights: Rights = new Set();

/** The unit that a right is held in. */
export function unitOf(right: string): string {
  return right.slice(0, right.indexOf(" "));
}

/** Who may do what at one moment, worked out from grants and from each unit's parent alone. */
export interface HeldRights {
  /** Units and what they are directly below. */
  parents: ReadonlyMap<string, string | null>;
  /** The disabled may do nothing. */
  users: ReadonlyMap<string, Rights>;
  /** Tokens that are good, and whose they are. */
  tokens: ReadonlyMap<string, { userId: string | null; rights: Rights }>;
}

/** Reads who may do what now. */
export async function readHeld(db: Queries, now: number): Promise<HeldRights> {
  const units = await db.selectFrom("organizational_units").select(["id", "parent_id"]).execute();
  const roles = await db.selectFrom("roles").select(["id", "permissions"]).execute();
  const users = await db.selectFrom("users").select(["id", "is_enabled"]).orderBy("seq").execute();
  const grants = await db.selectFrom("role_grants").selectAll().execute();
  const tokens = await db
    .selectFrom("api_tokens")
    .select(["id", "user_id", "role_id", "organizational_unit_id", "ends_at"])
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .orderBy("seq")
    .execute();
  const parents = new Map(units.map((unit) => [unit.id, unit.parent_id]));
  const allowed = new Map(roles.map((role) => [role.id, readPermissions(role.permissions)]));
  const rightsOf = (roleId: string, heldIn: string): string[] =>
    [...parents.keys()]
      .filter((unit) => pathOf(parents, unit).includes(heldIn))
      .flatMap((unit) => [...(allowed.get(roleId) ?? [])].map((permission) => `${unit} ${permission}`));
  const rightsOfUsers = new Map(
    users.map(({ id, is_enabled }) => {
      const own = grants.filter((grant) => grant.user_id === id && is_enabled === 1);
      return [id, new Set(own.flatMap((grant) => rightsOf(grant.role_id, grant.organizational_unit_id)))];
    }),
  );
  const good = tokens.filter((token) => token.ends_at === null || token.ends_at > now);
  return {
    parents,
    users: rightsOfUsers,
    tokens: new Map(
      good.map(({ id, user_id, role_id, organizational_unit_id }) => {
        const ofService = () => new Set(rightsOf(role_id ?? "", organizational_unit_id));
        const rights = user_id === null ? ofService() : (rightsOfUsers.get(user_id) ?? noRights);
        return [id, { userId: user_id, rights }];
      }),
    ),
  };
}

/** A unit and all above it. */
function pathOf(parents: HeldRights["parents"], unit: string): string[] {
  const path: string[] = [];
  for (let at: string | null | undefined = unit; at; at = parents.get(at)) path.push(at);
  return path;
}

/** Somebody who could do more after a deed than before, or a person who could do less, and what. */
export interface Escape {
  who: string;
  rights: string[];
}

/**
 * Compares two moments between which one caller did one thing. Whoever has gained a right was given it, and only who held
 * it could give it; and nobody took from a person what they did not hold. In a new unit people hold what they held above.
 */
export function findEscapes(
  before: HeldRights,
  after: HeldRights,
  actor: { userId: string | null; rights: Rights },
): Escape[] {
  const isGiven = (then: Rights, right: string) => {
    const [unit = "", permission = ""] = right.split(" ");
    const isNew = !before.parents.has(unit);
    return actor.rights.has(right) || (isNew && then.has(`${after.parents.get(unit)} ${permission}`));
  };
  const escapes: Escape[] = [];
  const note = (who: string, rights: string[]) => {
    if (rights.length > 0) escapes.push({ who, rights });
  };
  for (const [id, now] of after.users) {
    const then = before.users.get(id) ?? noRights;
    note(
      `user ${id} gained`,
      [...now.difference(then)].filter((right) => !isGiven(then, right)),
    );
  }
  for (const [id, then] of before.users) {
    const lost = [...then.difference(after.users.get(id) ?? noRights)];
    note(
      `user ${id} lost`,
      lost.filter((right) => after.parents.has(unitOf(right)) && !actor.rights.has(right)),
    );
  }
  for (const [id, { userId, rights }] of after.tokens) {
    const then = before.tokens.get(id)?.rights ?? noRights;
    const gained = [...rights.difference(then)].filter((right) => !isGiven(then, right));
    // A person's gains are also gains of their tokens: that was looked at above.
    if (userId === null || !before.tokens.has(id)) note(`token ${id} gained`, gained);
    if (!before.tokens.has(id) && userId !== null && userId !== actor.userId) note(`token ${id} of another`, [userId]);
  }
  return escapes;
}
