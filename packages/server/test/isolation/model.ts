import { foldCase } from "@holdfast/api/conventions/fold-case";
import type { TaskRecord } from "../../src/resources/tasks/record";
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
    .filter((task) => matchesTask(filter, task))
    .sort(compareTasks);
  return { ...entered, items };
}

/** True if a task meets all conditions of a filter. */
export function matchesTask(filter: WrittenFilter, task: TaskRecord): boolean {
  return everyCondition(filter, (field, operator, value) => taskMatches(task, field, operator, value));
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
  const items = world.users
    .filter((user) => unitId === root || user.grants.some((grant) => isIn(world, grant.unitId, unitId)))
    .filter((user) =>
      everyCondition(filter, (field, operator, value) => userMatches(world, user, known(user), field, operator, value)),
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

function everyCondition(
  filter: WrittenFilter,
  matches: (field: string, operator: string, value: string | string[]) => boolean,
): boolean {
  return Object.entries(filter).every(([field, wanted]) =>
    Object.entries(typeof wanted === "string" ? { $eq: wanted } : wanted).every(([operator, value]) =>
      matches(field, operator, value),
    ),
  );
}

function taskMatches(task: TaskRecord, field: string, operator: string, value: string | string[]): boolean {
  switch (field) {
    case "status":
      return isEqual(task.status, operator, value);
    case "category":
      return isEqual(task.category, operator, value);
    case "type":
      return isEqual(task.type, operator, value);
    case "outcome":
      return isEqual(task.outcome, operator, value);
    case "error.code":
      return isEqual(task.error?.code ?? null, operator, value);
    case "organizational_unit_id":
      return isEqual(task.organizational_unit_id, operator, mapValues(value, lowerUuid));
    case "id":
      return isEqual(task.id, operator, mapValues(value, lowerUuid));
    case "created_timestamp":
      return isTimely(task.created_timestamp, operator, String(value));
    case "start_timestamp":
      return isTimely(task.start_timestamp, operator, String(value));
    case "end_timestamp":
      return isTimely(task.end_timestamp, operator, String(value));
    case "primary_entity.id":
      return isEntity(task.primary_entity?.id, operator, String(value));
    case "primary_entity.value":
      return isEntity(task.primary_entity?.value, operator, String(value));
    default:
      throw new Error(`The model knows no field ${field}.`);
  }
}

function userMatches(
  world: World,
  user: WorldUser,
  known: WorldGrant[],
  field: string,
  operator: string,
  value: string | string[],
): boolean {
  switch (field) {
    case "name":
      return [user.name, user.email].some((text) => isLike(foldCase(text), operator, foldCase(String(value))));
    case "role_id":
      return known.some(({ role }) => isEqual(world.roleIds[role], operator, mapValues(value, lowerUuid)));
    case "organizational_unit_id":
      return known.some(({ unitId }) => isEqual(unitId, operator, mapValues(value, lowerUuid)));
    default:
      throw new Error(`The model knows no field ${field}.`);
  }
}

/** Null equals nothing, and so is unlike everything. */
function isEqual(text: string | null, operator: string, value: string | string[]): boolean {
  const isOne = text !== null && [value].flat().includes(text);
  return operator === "$neq" ? !isOne : isOne;
}

function isLike(text: string, operator: string, value: string): boolean {
  // Half of a character is in no text, although JavaScript finds it there.
  if (!value.isWellFormed()) return false;
  if (operator === "$eq") return text === value;
  return operator === "$contains" ? text.includes(value) : text.startsWith(value);
}

function isEntity(text: string | undefined, operator: string, value: string): boolean {
  if (text === undefined) return false;
  return operator === "$contains" ? isLike(foldCase(text), operator, foldCase(value)) : text === value;
}

function isTimely(text: string | null, operator: string, value: string): boolean {
  if (text === null) return false;
  const difference = exactMoment(text) - exactMoment(value);
  if (operator === "$gt") return difference > 0;
  if (operator === "$gte") return difference >= 0;
  return operator === "$lt" ? difference < 0 : difference <= 0;
}

/** Nanoseconds: what a filter says may be finer than what is stored. */
function exactMoment(text: string): bigint {
  const fraction = /\.\d+/.exec(text)?.[0] ?? ".";
  const whole = fraction === "." ? text : text.replace(fraction, "");
  return BigInt(Date.parse(whole)) * 1_000_000n + BigInt(fraction.slice(1).padEnd(9, "0"));
}

function mapValues(value: string | string[], change: (text: string) => string): string | string[] {
  return typeof value === "string" ? change(value) : value.map(change);
}

function lowerUuid(text: string): string {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : text;
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
