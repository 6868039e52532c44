import { type FilterFields, parseFilter } from "@holdfast/api/conventions/filter";
import { taskFilters } from "@holdfast/api/resources/tasks";
import { userFilters } from "@holdfast/api/resources/users";
import { compileFilter, type FieldValues } from "../../src/lists/match-filter";
import type { TaskRecord } from "../../src/resources/tasks/record";
import { fieldsOf } from "../../src/resources/tasks/watch/filtered-fields";
import { root } from "../harness";
import { pathOf, type World, type WorldGrant, type WorldToken, type WorldUser } from "./world";

/** A filter as a caller writes it. */
export type WrittenFilter = Record<string, string | Record<string, string | string[]>>;

export type ListName = "users" | "tasks";

/** Expected answer: a refusal, or exactly these items in exactly this order. */
export type Expected<Item> = { status: 401 | 403 } | { status: 200; unitId: string; items: Item[] };

/** A user as a caller is to see it. */
export interface ExpectedUser {
  id: string;
  access_control_configuration: { role_id: string; organizational_unit_ids: string[] }[];
  organizational_unit_count: number;
}

/** The tasks that a caller is to see. */
export function expectTasks(
  world: World,
  token: WorldToken,
  header: string | undefined,
  filter: WrittenFilter,
): Expected<TaskRecord> {
  const entered = enter(world, token, header);
  if (entered.status !== 200) return entered;
  const items = world.tasks
    .filter((task) => isIn(world, task.organizational_unit_id, entered.unitId))
    .filter(taskMatcher(filter))
    .sort(compareTasks);
  return { ...entered, items };
}

/** Returns a function that says whether a task meets all conditions of a filter. */
export function taskMatcher(filter: WrittenFilter): (task: TaskRecord) => boolean {
  const isMatch = compile(filter, taskFilters);
  return (task) => isMatch(fieldsOf(task));
}

function compile<Field extends string>(
  filter: WrittenFilter,
  declared: FilterFields<Field>,
): (values: FieldValues<Field>) => boolean {
  const { filter: conditions, faults } = parseFilter(JSON.stringify(filter), declared);
  if (faults.length > 0) throw new Error(faults.map(({ message }) => message).join(" "));
  return compileFilter(conditions, declared);
}

/** The users that a caller is to see, with the roles that it may know of. */
export function expectUsers(
  world: World,
  token: WorldToken,
  header: string | undefined,
  filter: WrittenFilter,
): Expected<ExpectedUser> {
  const entered = enter(world, token, header);
  if (entered.status !== 200) return entered;
  const { unitId } = entered;
  const reading = grantsOf(world, token).filter(({ role }) => role !== "reporter");
  const known = (user: WorldUser) =>
    user.grants.filter((grant) => reading.some((held) => isIn(world, grant.unitId, held.unitId)));
  const isMatch = compile(filter, userFilters);
  const items = world.users
    .filter((user) => unitId === root || user.grants.some((grant) => isIn(world, grant.unitId, unitId)))
    .filter((user) =>
      isMatch({
        id: user.id,
        name: [user.name, user.email],
        role_id: known(user).map(({ role }) => world.roleIds[role]),
        organizational_unit_id: known(user).map((grant) => grant.unitId),
      }),
    )
    .sort((a, b) => byText(a.name.toLowerCase(), b.name.toLowerCase()) || byText(a.id, b.id))
    .map((user) => showUser(world, user.id, known(user)));
  return { ...entered, items };
}

/** Grants that a token's holder has now. */
function grantsOf({ users }: World, { holder, unitId }: WorldToken): WorldGrant[] {
  if (holder.kind === "service") return [{ role: holder.role, unitId }];
  const user = users.find(({ id }) => id === holder.userId);
  return user?.isEnabled ? user.grants : [];
}

function enter(world: World, token: WorldToken, header: string | undefined): Expected<never> {
  const grants = grantsOf(world, token);
  if (grants.length === 0) return { status: 401 };
  const unitId = header?.toLowerCase() || token.unitId;
  const covering = grants.filter((grant) => isIn(world, unitId, grant.unitId));
  // Of the default roles the reporter alone cannot read.
  return covering.some(({ role }) => role !== "reporter") ? { status: 200, unitId, items: [] } : { status: 403 };
}

/** True if a unit is another one or below it. */
export function isIn(world: World, unitId: string, aboveId: string): boolean {
  return pathOf(world, unitId).includes(aboveId);
}

/** The order of the list of tasks: the newest first. */
export function compareTasks(a: TaskRecord, b: TaskRecord): number {
  return byText(b.created_timestamp, a.created_timestamp) || byText(b.id, a.id);
}

/** Compares by code point, which JavaScript does not do by itself. */
function byText(a: string, b: string): number {
  const [first, second] = [[...a], [...b]];
  const at = first.findIndex((character, index) => character !== second[index]);
  if (at < 0) return first.length - second.length;
  return (first[at]?.codePointAt(0) ?? 0) - (second[at]?.codePointAt(0) ?? -1);
}

function showUser({ roleIds }: World, id: string, known: WorldGrant[]): ExpectedUser {
  const byRole = Map.groupBy(known, ({ role }) => roleIds[role]);
  return {
    id,
    access_control_configuration: [...byRole]
      .map(([role_id, grants]) => ({ role_id, organizational_unit_ids: grants.map(({ unitId }) => unitId).sort() }))
      .sort((a, b) => byText(a.role_id, b.role_id)),
    organizational_unit_count: new Set(known.map(({ unitId }) => unitId)).size,
  };
}
