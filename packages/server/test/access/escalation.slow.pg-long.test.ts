import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import fc from "fast-check";
import { everything } from "../conformance/declared";
import { type Answered, type Plane, root } from "../harness";
import { createDice } from "../random";
import { runs } from "../runs";
import { type Choice, choice, escalationSteps, pick, pickPermissions, type Scene } from "./escalation-steps";
import { type Escape, findEscapes, type HeldRights, noRights, readHeld, unitOf } from "./held-rights";
import { openPlaneForPeople } from "./people";

/** A token whose text somebody has. */
interface Known {
  id: string;
  token: string;
}

/** A link whose text somebody has. */
interface KnownLink {
  secret: string;
  maker: string;
}

/** A tree, roles of many kinds, and people and services who hold them. */
async function buildWorld(plane: Plane, seed: number): Promise<Known[]> {
  const dice = createDice(seed);
  const a = await plane.addUnit("A");
  const b = await plane.addUnit("B");
  const units = [root, a, b, await plane.addUnit("A1", a), await plane.addUnit("B1", b)];
  const chief = await plane.addUser({ roles: [{ role: "owner" }] });
  const owner = await plane.personalToken(chief);
  const known = [owner];
  const custom: string[] = [];
  for (const unit of [root, root, a, b]) {
    const permissions = [...new Set(["users:read", "users:write", "roles:write", ...pickPermissions(dice(2 ** 18))])];
    const body = { name: `Role ${custom.length}`, permissions };
    const made = await plane.ask("/roles", { method: "POST", token: owner.token, unit, body });
    custom.push(made.body.id);
  }
  for (let number = 0; number < 8; number += 1) {
    const unit = pick(units, dice(50));
    const role_id = [defaultRoles.admin.id, defaultRoles.admin.id, ...custom][dice(6)];
    const grant = { role_id, organizational_unit_ids: [unit] };
    const body = { email: `p${number}@example.org`, full_name: "P", access_control_configuration: [grant] };
    const person = await plane.ask("/users", { method: "POST", token: owner.token, body });
    if (person.status === 201) known.push(await plane.personalToken(person.body.id, unit));
  }
  known.push(await plane.serviceToken("admin", a), await plane.serviceToken("admin", pick(units, dice(50))));
  return known;
}

const hashOf = (secret: string) => createHash("sha256").update(secret).digest("hex");

async function readScene(
  plane: Plane,
  held: HeldRights,
  links: readonly KnownLink[],
  fresh: () => string,
): Promise<Scene> {
  const roles = await plane.database.snapshot((db) =>
    db.selectFrom("roles").select(["id", "organizational_unit_id as unitId"]).orderBy("seq").execute(),
  );
  return {
    plane,
    units: [...held.parents.keys()].sort(),
    users: [...held.users.keys()],
    roles,
    tokens: [...held.tokens.keys()],
    links: links.map(({ secret }) => secret),
    fresh,
  };
}

/** Open invitations, and for whom they are. */
async function readLinks(plane: Plane): Promise<Map<string, string | null>> {
  const rows = await plane.database.snapshot((db) => db.selectFrom("one_time_links").selectAll().execute());
  return new Map(rows.map((row) => [row.hash, row.user_id]));
}

/** Compares discovery for a token of a unit with the model's permissions. */
async function findLies({ ask }: Plane, { token, id }: Known, unit: string, held: HeldRights): Promise<string[]> {
  const { status, body } = await ask("/", { token, unit });
  const rights = held.tokens.get(id)?.rights ?? noRights;
  return everything
    .filter(({ operation }) => operation.permission && !operation.allowsSelf && !operation.requiresRoot)
    .filter(({ operation, resource, version }) => {
      const isListed = status === 200 && body[resource.name]?.[`v${version}`]?.[operation.id] !== undefined;
      const suffices = [operation.permission, ...(operation.otherPermissions ?? [])];
      const further = operation.furtherPermissions ?? [];
      const hasFurther = further.every((permission) => rights.has(`${unit} ${permission}`));
      return isListed !== (hasFurther && suffices.some((permission) => rights.has(`${unit} ${permission}`)));
    })
    .map(({ name }) => `${name} in ${unit} with ${status}`);
}

const tally = new Map<string, number>();

/** Does one thing after the other, and tells of the first that gave somebody what nobody gave them. */
async function follow(plane: Plane, seed: number, choices: readonly Choice[]): Promise<unknown> {
  const known = await buildWorld(plane, seed);
  let links: KnownLink[] = [];
  let names = 0;
  const fresh = () => `fresh-${++names}`;
  const read = () => plane.database.snapshot((db) => readHeld(db, plane.clock.now));
  let before = await read();
  for (const [step, one] of choices.entries()) {
    const scene = await readScene(plane, before, links, fresh);
    const good = known.filter(({ id }) => (before.tokens.get(id)?.rights ?? noRights).size > 0);
    // The first is the owner, who does more than others can, and so gives others more to try.
    const { id, token } = one.actor % 4 === 0 ? pick(good, 0) : pick(good, one.actor);
    const actor = before.tokens.get(id) ?? { userId: null, rights: noRights };
    const reached = scene.units.filter((unit) => [...actor.rights].some((right) => unitOf(right) === unit));
    const deed = one.deed % escalationSteps.length;
    const answer = await pick(escalationSteps, deed)(scene, one, { token, unit: pick(reached, one.unit) });
    tally.set(`${deed} ${answer.status}`, (tally.get(`${deed} ${answer.status}`) ?? 0) + 1);
    const after = await read();
    const escapes: unknown[] = findEscapes(before, after, actor);
    if (answer.status >= 500) escapes.push("It failed.");
    if (!(await hasOwner(plane))) escapes.push("No owner is left.");
    const open = await readLinks(plane);
    links = links.filter(({ secret }) => open.has(hashOf(secret)));
    escapes.push(...findLeaks(links, open, before, after));
    collect(answer, id, known, links);
    const looking = pick(known, one.other);
    escapes.push(...(await findLies(plane, looking, pick([...after.parents.keys()], one.item), after)));
    if (escapes.length > 0) return { step, deed, actor: id, answer: [answer.status, answer.text], escapes };
    before = after;
  }
  return undefined;
}

/** Notes the token or the link that an answer shows. */
function collect({ body }: Answered, actor: string, known: Known[], links: KnownLink[]): void {
  if (typeof body?.token === "string") known.push({ id: body.id, token: body.token });
  if (typeof body?.invitation_link === "string") {
    links.push({ secret: body.invitation_link.split("#")[1] ?? "", maker: actor });
  }
}

/** Whoever has made an open invitation could follow it, and must not get what somebody else gives its user meanwhile. */
function findLeaks(
  links: KnownLink[],
  open: Map<string, string | null>,
  before: HeldRights,
  after: HeldRights,
): Escape[] {
  return links.flatMap(({ secret, maker }) => {
    const userId = open.get(hashOf(secret)) ?? "";
    const [then, now] = [before.users.get(userId) ?? noRights, after.users.get(userId) ?? noRights];
    const own = (before.tokens.get(maker)?.rights ?? noRights).union(after.tokens.get(maker)?.rights ?? noRights);
    const rights = [...now.difference(then).difference(own)].filter((right) => before.parents.has(unitOf(right)));
    return rights.length === 0 ? [] : [{ who: `${maker}, who has a link for ${userId}`, rights }];
  });
}

async function hasOwner({ database }: Plane): Promise<boolean> {
  const rows = await database.snapshot((db) =>
    db
      .selectFrom("role_grants")
      .innerJoin("users", "users.id", "user_id")
      .select("user_id")
      .where("role_id", "=", defaultRoles.owner.id)
      .where("organizational_unit_id", "=", root)
      .where("is_enabled", "=", 1)
      .execute(),
  );
  return rows.length > 0;
}

test("T7, T9: no sequence of grants, roles, moves, tokens and invitations gives anyone what nobody who held it gave them", async () => {
  const sequence = fc.array(choice, { minLength: 10, maxLength: 40, size: "max" });
  const property = fc.asyncProperty(fc.nat({ max: 1000 }), sequence, async (seed, choices) => {
    const plane = await openPlaneForPeople();
    const found = await follow(plane, seed, choices).finally(plane.close);
    expect(found).toBeUndefined();
  });
  const deedsThat = (status: string) =>
    escalationSteps.filter((_, deed) => [...tally.keys()].some((one) => new RegExp(`^${deed} ${status}$`).test(one)))
      .length;
  const min = () => Math.min(deedsThat("20[014]"), deedsThat("403"));
  // Enough has to happen for that to mean something, and by chance a few sequences may not be enough.
  for (let round = 0; round === 0 || (round < 10 && min() <= escalationSteps.length / 2); round++) {
    await fc.assert(property, { ...runs(50), interruptAfterTimeLimit: 600_000 });
  }
  expect(min()).toBeGreaterThan(escalationSteps.length / 2);
}, 900_000);
