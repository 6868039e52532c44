import { taskCategories, taskOutcomes, taskStatuses } from "@holdfast/api/resources/task-words";
import fc from "fast-check";
import { root } from "../harness";
import type { ListName, WrittenFilter } from "./model";
import { awkwardTexts, errorCodes, moment, pick, roles, taskTypes, type World, type WorldToken } from "./world";

/** Request for a list. */
export interface ListAsk {
  list: ListName;
  version: number;
  token: WorldToken;
  header: string | undefined;
  limit: number;
  filter: WrittenFilter;
}

const awkward = fc.constantFrom(...awkwardTexts);
const hostileText = fc.oneof(
  awkward,
  awkward.map((text) => text.toUpperCase()),
  // Cut anywhere, an emoji in the middle included.
  fc.tuple(awkward, fc.nat(6), fc.nat(6)).map(([text, from, length]) => text.slice(from, from + length)),
  fc.constantFrom(
    "",
    "%",
    "_",
    "\\",
    "'",
    '"',
    "\0",
    "Ada\0",
    "\ud83d",
    "\udc00x",
    "' or '1'='1",
    "person-",
    "PERSON-1@",
    ".org",
  ),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const timestamp = fc
  .tuple(moment, fc.constantFrom("", "000001", "9999", "5"), fc.constantFrom("Z", "+05:30", "-11:00"))
  .map(([milliseconds, finer, zone]) => {
    const shift = zone === "Z" ? 0 : Date.parse("1970-01-01T00:00:00Z") - Date.parse(`1970-01-01T00:00:00${zone}`);
    return `${new Date(milliseconds + shift).toISOString().slice(0, -1)}${finer}${zone}`;
  });
const unitId = fc.oneof(
  fc.integer({ min: 1, max: 16 }).map((number) => `abcdef00-0000-4000-8000-${number.toString(16).padStart(12, "0")}`),
  fc.constant(root),
);
const taskId = fc
  .nat(45)
  .chain((index) =>
    fc.constantFrom(
      `dcba0000-0000-7000-8000-${index.toString(16).padStart(12, "0")}`,
      `DCBA0000-0000-7000-8000-${index.toString(16).padStart(12, "0")}`,
      `${pick(awkwardTexts, index)} ${index}`,
    ),
  );

function wordField(word: fc.Arbitrary<string>) {
  const value = fc.oneof({ weight: 4, arbitrary: word }, hostileText);
  return fc.oneof(
    value,
    fc.record({ $eq: value }),
    fc.record({ $neq: value }),
    fc.record({ $in: fc.array(value, { maxLength: 4 }) }),
    fc.record({ $in: fc.array(value, { maxLength: 4 }), $neq: value }),
  );
}

function idField(id: fc.Arbitrary<string>) {
  const value = fc.oneof({ weight: 6, arbitrary: id }, hostileText);
  return fc.oneof(value, fc.record({ $eq: value }), fc.record({ $in: fc.array(value, { maxLength: 4 }) }));
}

const timeField = fc.oneof(
  fc.record({ $gte: timestamp, $lt: timestamp }),
  fc.record({ $gt: timestamp }),
  fc.record({ $lte: timestamp }),
  fc.record({ $gt: timestamp, $lte: timestamp }),
);
const entityField = fc.oneof(hostileText, fc.record({ $eq: awkward }), fc.record({ $contains: hostileText }));
const nameField = fc.oneof(
  hostileText,
  fc.record({ $eq: hostileText }),
  fc.record({ $contains: hostileText }),
  fc.record({ $begins_with: hostileText, $contains: hostileText }),
);

/** One to three conditions on fields: with all of them at once nothing would ever match. */
function someOf(fields: Record<string, fc.Arbitrary<WrittenFilter[string]>>): fc.Arbitrary<WrittenFilter> {
  const conditions = Object.entries(fields).map(([field, wanted]) => fc.tuple(fc.constant(field), wanted));
  return fc
    .uniqueArray(fc.oneof(...conditions), { maxLength: 3, selector: ([field]) => field })
    .map((chosen) => Object.fromEntries(chosen));
}

export const taskFilter: fc.Arbitrary<WrittenFilter> = someOf({
  status: wordField(fc.constantFrom(...taskStatuses)),
  category: wordField(fc.constantFrom(...taskCategories)),
  type: wordField(fc.constantFrom(...taskTypes)),
  id: wordField(taskId),
  created_timestamp: timeField,
  start_timestamp: timeField,
  end_timestamp: timeField,
  "primary_entity.id": entityField,
  "primary_entity.value": entityField,
  outcome: wordField(fc.constantFrom(...taskOutcomes)),
  "error.code": wordField(fc.constantFrom(...errorCodes)),
  organizational_unit_id: idField(
    fc.oneof(
      unitId,
      unitId.map((id) => id.toUpperCase()),
    ),
  ),
});

/** Roles have ids of their own in every installation: a name with this in front stands for one. */
const rolePrefix = "role: ";

const userFilter: fc.Arbitrary<WrittenFilter> = someOf({
  name: nameField,
  role_id: idField(fc.constantFrom(...roles).map((role) => rolePrefix + role)),
  organizational_unit_id: idField(unitId),
});

const askSketch = fc.record({
  wanted: fc.oneof(
    fc.record({ list: fc.constant("tasks" as const), version: fc.constant(1), filter: taskFilter }),
    fc.record({ list: fc.constant("users" as const), version: fc.constantFrom(1, 2), filter: userFilter }),
  ),
  token: fc.nat(),
  header: fc.oneof(
    fc.constant(undefined),
    fc.constant(""),
    unitId,
    unitId.map((id) => id.toUpperCase()),
  ),
  limit: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(0, 100, 1000, 5000)),
});

export type AskSketch = typeof askSketch extends fc.Arbitrary<infer Value> ? Value : never;

/** A random question, as yet without a token to ask it with. */
export const anyAsk: fc.Arbitrary<AskSketch> = askSketch;

/** Makes the question one about a certain world. */
export function askOf(world: World, { wanted, token, header, limit }: AskSketch): ListAsk {
  const filter: WrittenFilter = JSON.parse(JSON.stringify(wanted.filter), (_key, value) => nameRole(world, value));
  return { ...wanted, filter, token: pick(world.tokens, token), header, limit };
}

function nameRole(world: World, value: unknown): unknown {
  const role = roles.find((candidate) => value === rolePrefix + candidate);
  return role === undefined ? value : world.roleIds[role];
}

/** Where the question is asked. */
export function addressOf({ list, limit, filter }: ListAsk): string {
  return `/${list}?limit=${limit}&filter=${encodeURIComponent(JSON.stringify(filter))}`;
}

/** The headers that go with it. */
export function headersOf({ list, version, token, header }: ListAsk) {
  const accept = `application/api.svc.${list}=v${version}+json`;
  return { token: token.token, accept, ...(header === undefined ? {} : { unit: header }) };
}
