import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { permissions } from "@holdfast/api/conventions/permissions";
import { readPermissions } from "../../src/access/role-permissions";
import { openPlane, type Plane, root } from "../harness";
import { createDice, type Dice } from "../random";
import { runs } from "../runs";

/** Everything that somebody may do, as "unit permission", worked out here from the tables alone. */
type Rights = ReadonlySet<string>;

interface Person {
  rights: Rights;
}

/** Who may do what now. The disabled may do nothing. */
async function readPeople(plane: Plane): Promise<Map<string, Person>> {
  const { users, grants, paths } = await plane.database.snapshot(async (db) => ({
    users: await db.selectFrom("users").select(["id", "is_enabled"]).orderBy("seq").execute(),
    grants: await db
      .selectFrom("role_grants")
      .innerJoin("roles", "roles.id", "role_grants.role_id")
      .select(["user_id", "role_grants.organizational_unit_id as unitId", "permissions"])
      .execute(),
    paths: await db.selectFrom("organizational_unit_paths").selectAll().execute(),
  }));
  return new Map(
    users.map((user) => {
      const held = grants.filter((grant) => grant.user_id === user.id && user.is_enabled === 1);
      const rights = held.flatMap((grant) =>
        paths
          .filter((path) => path.ancestor_id === grant.unitId)
          .flatMap((path) =>
            [...readPermissions(grant.permissions)].map((permission) => `${path.unit_id} ${permission}`),
          ),
      );
      return [user.id, { rights: new Set(rights) }];
    }),
  );
}

const pick = <Item>(dice: Dice, items: readonly Item[]): Item => {
  const item = items[dice(items.length)];
  if (item === undefined) throw new Error("There is nothing to pick from.");
  return item;
};

const pickSome = <Item>(dice: Dice, items: readonly Item[]): Item[] => items.filter(() => dice(3) === 0);

/** A tree of units, roles of many kinds made in it, and people who hold some of them. */
async function buildWorld(plane: Plane, dice: Dice) {
  const a = await plane.addUnit("A");
  const b = await plane.addUnit("B");
  const a1 = await plane.addUnit("A1", a);
  const b1 = await plane.addUnit("B1", b);
  const below = new Map([
    [root, [root, a, b, a1, b1]],
    [a, [a, a1]],
    [b, [b, b1]],
    [a1, [a1]],
  ]);
  await plane.addUser({ roles: [{ role: "owner" }] });
  const { token: owner } = await plane.serviceToken("owner");
  const others = Object.keys(permissions).filter((name) => name !== "users:write");
  for (const unit of [root, a, a, b, a1]) {
    const body = { name: `Role ${dice(1e9)}`, permissions: ["users:write", ...pickSome(dice, others)] };
    await plane.ask("/roles", { method: "POST", token: owner, unit, body });
  }
  const roles = await plane.database.snapshot((db) =>
    db.selectFrom("roles").select(["id", "organizational_unit_id as unitId"]).orderBy("seq").execute(),
  );
  /** Mostly roles where they can be held, and now and then where they cannot. */
  const config = (max: number) =>
    Array.from({ length: 1 + dice(max) }, () => {
      const role = pick(dice, roles);
      const units = below.get(dice(20) === 0 ? root : role.unitId) ?? [];
      return { role_id: role.id, organizational_unit_ids: [pick(dice, units)] };
    });
  let made = 0;
  const create = () => {
    made += 1;
    return { email: `p${made}@example.org`, full_name: `P ${made}`, access_control_configuration: config(1) };
  };
  for (let number = 0; number < 10; number += 1) {
    const body = { ...create(), access_control_configuration: config(4) };
    await plane.ask("/users", { method: "POST", token: owner, body });
  }
  return { units: [root, a, b, a1, b1], config, create };
}

type World = Awaited<ReturnType<typeof buildWorld>>;

/** Lets somebody who can act do something at random, and tells what came of it. */
async function actAtRandom(plane: Plane, dice: Dice, world: World, people: ReadonlyMap<string, Person>) {
  const actors = [...people].filter(([, person]) => person.rights.size > 0).map(([id]) => id);
  const actor = pick(dice, actors);
  const reachable = world.units.filter((unit) =>
    [...(people.get(actor)?.rights ?? [])].some((right) => right.startsWith(unit)),
  );
  const unit = pick(dice, reachable);
  const { token } = await plane.personalToken(actor, unit);
  const path = `/users/${pick(dice, [...people.keys()])}`;
  const escalationSteps = [
    () => plane.ask("/users", { method: "POST", token, body: world.create() }),
    () => plane.ask(path, { method: "PATCH", token, body: { access_control_configuration: world.config(2) } }),
    () => plane.ask(path, { method: "PATCH", token, body: { is_enabled: true } }),
    () => plane.ask("/users", { method: "POST", token, body: world.create() }),
    () => plane.ask(path, { method: "PATCH", token, body: { access_control_configuration: world.config(2) } }),
    () => plane.ask(path, { method: "PATCH", token, body: { is_enabled: false } }),
    () => plane.ask(`${path}/invitation`, { method: "POST", token }),
    () => plane.ask(path, { method: "DELETE", token }),
  ];
  return { actor, answer: await pick(dice, escalationSteps)() };
}

async function linksOf(plane: Plane): Promise<Map<string, string | null>> {
  const rows = await plane.database.snapshot((db) =>
    db.selectFrom("one_time_links").select(["hash", "user_id"]).execute(),
  );
  return new Map(rows.map((row) => [row.hash, row.user_id]));
}

const hashOf = (link: string) =>
  createHash("sha256")
    .update(link.split("#")[1] ?? "")
    .digest("hex");

type People = ReadonlyMap<string, Person>;

const rightsOf = (people: People, id: string | null): Rights => people.get(id ?? "")?.rights ?? new Set();

/** Whose rights have changed, and by what that the actor does not hold. */
function findChanges(before: People, after: People, actor: string) {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((id) => {
      const changed = rightsOf(after, id).symmetricDifference(rightsOf(before, id));
      return { id, changed: [...changed.difference(rightsOf(before, actor))] };
    })
    .filter(({ changed }) => changed.length > 0);
}

/** Which open links are for users who have gained what the maker of the link does not hold: who has it could follow it. */
function findGains(before: People, after: People, links: Map<string, string | null>, makers: Map<string, string>) {
  return [...links]
    .map(([hash, userId]) => ({ maker: makers.get(hash), userId }))
    .filter(({ maker, userId }) => {
      const gained = rightsOf(after, userId).difference(rightsOf(before, userId));
      return maker !== undefined && before.has(maker) && gained.difference(rightsOf(before, maker)).size > 0;
    });
}

for (let seed = 1; seed <= runs(3).numRuns; seed += 1) {
  test(`T9 no sequence of changes to users gives or takes more than its makers hold there (${seed})`, async () => {
    const plane = await openPlane();
    const dice = createDice(seed);
    const world = await buildWorld(plane, dice);
    const escapes: unknown[] = [];
    const statuses = new Map<number, number>();
    /** Who was given which link. */
    const makers = new Map<string, string>();
    for (let step = 0; step < 60; step += 1) {
      const before = await readPeople(plane);
      const { actor, answer } = await actAtRandom(plane, dice, world, before);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const after = await readPeople(plane);
      escapes.push(...findChanges(before, after, actor).map((found) => ({ step, actor, ...found, answer })));
      makers.set(hashOf(answer.body?.invitation_link ?? ""), actor);
      escapes.push(...findGains(before, after, await linksOf(plane), makers).map((found) => ({ step, ...found })));
    }
    await plane.close();
    expect(escapes).toEqual([]);
    // Enough has happened for that to mean something.
    expect((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0) + (statuses.get(204) ?? 0)).toBeGreaterThan(4);
    expect(statuses.get(403) ?? 0).toBeGreaterThan(4);
    expect(statuses.get(500)).toBeUndefined();
  }, 120_000);
}
