import { defaultRoles, permissions } from "@holdfast/api/conventions/permissions";
import fc from "fast-check";
import type { Answered, Ask, Plane } from "../harness";
import { otherPassword } from "./people";

/** Numbers that choose among what there is when the deed is done, so that any sequence of deeds can be cut shorter. */
export interface Choice {
  deed: number;
  actor: number;
  unit: number;
  item: number;
  other: number;
  /** A set of things, one bit each. */
  some: number;
}

const number = fc.nat({ max: 10_000 });

export const choice: fc.Arbitrary<Choice> = fc.record({
  deed: number,
  actor: number,
  unit: number,
  item: number,
  other: number,
  some: fc.nat({ max: 2 ** 18 - 1 }),
});

/** Scene in which steps are taken. */
export interface Scene {
  plane: Plane;
  units: readonly string[];
  users: readonly string[];
  roles: readonly { id: string; unitId: string }[];
  /** Ids of tokens that are good. */
  tokens: readonly string[];
  /** Open invitations. */
  links: readonly string[];
  /** Makes names that are not there yet. */
  fresh(): string;
}

export function pick<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length];
  if (item === undefined) throw new Error("There is nothing to pick from.");
  return item;
}

/** Every second time one of the newest: what was just made is what the next deed is most likely to go wrong with. */
function pickLate<Item>(items: readonly Item[], number: number): Item {
  return number % 2 === 0 ? pick(items.slice(-3), number >> 1) : pick(items, number >> 1);
}

/** The permissions whose bits are set, or one where none is. */
export function pickPermissions(some: number): string[] {
  const chosen = Object.keys(permissions).filter((_, bit) => (some >> bit) % 2 === 1);
  return chosen.length > 0 ? chosen : ["tasks:read"];
}

/** A role in a unit; now and then in one where it cannot be held. */
function grants({ roles, units }: Scene, item: number, other: number) {
  return [{ role_id: pickLate(roles, item).id, organizational_unit_ids: [pick(units, other)] }];
}

type WriterStep = (scene: Scene, choice: Choice, ask: Pick<Ask, "token" | "unit">) => Promise<Answered>;

/** Everything by which rights could change hands. */
export const escalationSteps: readonly WriterStep[] = [
  (scene, { item, other }, ask) => {
    const email = `${scene.fresh()}@example.org`;
    const body = { email, full_name: "New", access_control_configuration: grants(scene, item, other) };
    return scene.plane.ask("/users", { ...ask, method: "POST", body });
  },
  // One more role, beside those that the caller sees.
  async (scene, { item, other, some }, ask) => {
    const path = `/users/${pickLate(scene.users, some)}`;
    const { body: user } = await scene.plane.ask(path, ask);
    const config = [...(user.access_control_configuration ?? []), ...grants(scene, item, other)];
    return scene.plane.ask(path, { ...ask, method: "PATCH", body: { access_control_configuration: config } });
  },
  (scene, { item, other, some }, ask) => {
    const body = { access_control_configuration: some % 3 === 0 ? [] : grants(scene, item, other) };
    return scene.plane.ask(`/users/${pickLate(scene.users, some)}`, { ...ask, method: "PATCH", body });
  },
  ({ plane, users }, { item, some }, ask) =>
    plane.ask(`/users/${pickLate(users, item)}`, { ...ask, method: "PATCH", body: { is_enabled: some % 3 > 0 } }),
  ({ plane, users }, { item }, ask) =>
    plane.ask(`/users/${pickLate(users, item)}/invitation`, { ...ask, method: "POST" }),
  ({ plane, users }, { item }, ask) => plane.ask(`/users/${pickLate(users, item)}`, { ...ask, method: "DELETE" }),
  ({ plane, links }, { item }) =>
    plane.ask("/invitation", {
      method: "POST",
      body: { secret: links.length === 0 ? "none" : pick(links, item), password: otherPassword },
    }),
  ({ plane, fresh }, { some }, ask) =>
    plane.ask("/roles", { ...ask, method: "POST", body: { name: fresh(), permissions: pickPermissions(some) } }),
  ({ plane, roles }, { item, some, other }, ask) => {
    const role = pickLate(roles, item);
    // Mostly where it can be changed at all.
    const unit = other % 4 === 0 ? ask.unit : role.unitId;
    const body = { permissions: pickPermissions(some) };
    return plane.ask(`/roles/${role.id}`, { ...ask, ...(unit ? { unit } : {}), method: "PATCH", body });
  },
  ({ plane, roles }, { item }, ask) => {
    const role = pickLate(roles, item);
    return plane.ask(`/roles/${role.id}`, { ...ask, unit: role.unitId, method: "DELETE" });
  },
  ({ plane, units, fresh }, { item }, ask) => {
    const body = { name: fresh(), parent_id: pick(units, item) };
    return plane.ask("/organizational-units", { ...ask, method: "POST", body });
  },
  ({ plane, units }, { item, other }, ask) => {
    const body = { parent_id: pick(units, other) };
    return plane.ask(`/organizational-units/${pick(units, item)}`, { ...ask, method: "PATCH", body });
  },
  ({ plane, units }, { item, other, some }, ask) => {
    const moved = some % 4 === 0 ? "" : `?move_to=${pick(units, other)}`;
    return plane.ask(`/organizational-units/${pick(units, item)}${moved}`, { ...ask, method: "DELETE" });
  },
  ({ plane, roles, units }, { item, other, some }, ask) => {
    const where = some % 2 === 0 ? {} : { organizational_unit_id: pick(units, other) };
    const role_id = some % 5 === 0 ? defaultRoles.owner.id : pickLate(roles, item).id;
    return plane.ask("/api-tokens", {
      ...ask,
      method: "POST",
      body: { name: "s", kind: "service", role_id, ...where },
    });
  },
  ({ plane, units }, { other }, ask) => {
    const body = { name: "p", kind: "personal", organizational_unit_id: pick(units, other) };
    return plane.ask("/api-tokens", { ...ask, method: "POST", body });
  },
  ({ plane, tokens }, { item, some }, ask) => {
    const body = { overlap_seconds: some % 2 === 0 ? 0 : 3600 };
    return plane.ask(`/api-tokens/${pickLate(tokens, item)}/rotate`, { ...ask, method: "POST", body });
  },
  ({ plane, tokens }, { item }, ask) =>
    plane.ask(`/api-tokens/${pickLate(tokens, item)}`, { ...ask, method: "DELETE" }),
];
