import { type Fault, quote } from "./api-error";
import { inspectJson } from "./inspect-json";
import { parseJson } from "./parse-json";
import { formatTimestamp, parseTimestamp } from "./timestamp";
import { canonicalId } from "./uuid";

/** Kind of a filter field; it decides how values are read and compared. */
export type FieldKind =
  /** one of a set of words, compared as it is */
  | "word"
  /** an id; a UUID is read in any letter case */
  | "id"
  /** free text: `$eq` compares as it is, `$contains` ignores letter case */
  | "text"
  /** a person's name: every comparison ignores letter case */
  | "name"
  | "timestamp"
  /** true or false */
  | "flag";

export type Operator = "$eq" | "$neq" | "$in" | "$contains" | "$begins_with" | "$gt" | "$gte" | "$lt" | "$lte";

export interface FilterField {
  kind: FieldKind;
  operators: readonly Operator[];
  description: string;
}

/** The fields that a list can be filtered by. A name that is not a key of its own here does not exist. */
export type FilterFields<Field extends string = string> = Readonly<Record<Field, FilterField>>;

/** One comparison. Timestamps are whole milliseconds, moved to the next one where a fraction finer than that was given. */
export type Condition<Field extends string = string> =
  | { field: Field; operator: "$in"; value: readonly string[] }
  | { field: Field; operator: "$gt" | "$gte" | "$lt" | "$lte"; value: number }
  | { field: Field; operator: "$eq" | "$neq" | "$contains" | "$begins_with"; value: string }
  | { field: Field; operator: "$eq"; value: boolean };

/** A filter as it was understood: all conditions have to hold. No conditions is no filter. */
export type Filter<Field extends string = string> = readonly Condition<Field>[];

export const filterLimits = { bytes: 8192, depth: 5, conditions: 50, values: 200 } as const;

/**
 * Reads a filter against the fields of a list. The faults say which field is meant and what would be right.
 * @example parseFilter('{"status":"failed"}', taskFilters).filter // [{ field: "status", operator: "$eq", value: "failed" }]
 */
export function parseFilter<Field extends string>(
  text: string,
  fields: FilterFields<Field>,
): { filter: Filter<Field>; faults: Fault[] } {
  const faults: Fault[] = [];
  const filter: Condition<Field>[] = [];
  const json = readObject(text, fields, faults);
  if (!json) return { filter, faults };
  if (countConditions(json) > filterLimits.conditions) {
    faults.push({ name: "filterTooLarge", message: `Use at most ${filterLimits.conditions} conditions in a filter.` });
    return { filter, faults };
  }
  const known = keysOf(fields);
  for (const [name, wanted] of Object.entries(json)) {
    const field = known.find((candidate) => candidate === name);
    if (field === undefined) faults.push(unknownField(name, known));
    else readField(field, fields[field], wanted, filter, faults);
  }
  return { filter, faults };
}

/** The filter as it was understood, written out in full: what `filter_applied` shows. */
export function formatFilter(filter: Filter): string | null {
  if (filter.length === 0) return null;
  const fields = new Map<string, [Operator, unknown][]>();
  for (const { field, operator, value } of filter) {
    const shown = typeof value === "number" ? formatTimestamp(value) : value;
    fields.set(field, [...(fields.get(field) ?? []), [operator, shown]]);
  }
  return JSON.stringify(
    Object.fromEntries([...fields].map(([field, operators]) => [field, Object.fromEntries(operators)])),
  );
}

function readObject(text: string, fields: FilterFields, faults: Fault[]): object | undefined {
  const example = 'such as {"status":"failed"}';
  if (new TextEncoder().encode(text).length > filterLimits.bytes) {
    faults.push({ name: "filterTooLarge", message: `Send a filter of at most ${filterLimits.bytes} bytes.` });
    return undefined;
  }
  const { depth, duplicatePath } = inspectJson(text);
  if (depth > filterLimits.depth) {
    faults.push({ name: "filterTooLarge", message: `Nest a filter at most ${filterLimits.depth} levels deep.` });
    return undefined;
  }
  const json = parseJson(text);
  if (json === undefined) {
    faults.push({
      name: "filterMalformed",
      message: `The filter is not valid JSON. Send one JSON object, ${example}.`,
    });
    return undefined;
  }
  if (!isObject(json)) {
    faults.push({ name: "filterMalformed", message: `The filter has to be one JSON object, ${example}.` });
    return undefined;
  }
  if (duplicatePath !== undefined) {
    faults.push({ name: "filterMalformed", message: describeDuplicate(duplicatePath.map(String), fields) });
    return undefined;
  }
  return json;
}

/** Describes a key that occurs twice: a field, an operator of it, or something inside of a value. */
function describeDuplicate([field = "", operator, ...inner]: string[], fields: FilterFields): string {
  if (operator === undefined) {
    return `The filter has the field ${quote(field)} twice. Name it once, with all of its operators in one object.`;
  }
  const what = inner.length > 0 ? `the key ${quote(inner.at(-1) ?? "")}` : `the operator ${quote(operator)}`;
  const takesSeveral = Object.hasOwn(fields, field) && fields[field]?.operators.includes("$in");
  const advice =
    operator === "$eq" && inner.length === 0 && takesSeveral
      ? "Keep one, or list both values in one $in."
      : "Keep one.";
  return `The filter on ${quote(field)} has ${what} twice. ${advice}`;
}

function countConditions(json: object): number {
  return Object.values(json).reduce((sum, wanted) => sum + (isObject(wanted) ? Object.keys(wanted).length : 1), 0);
}

function readField<Field extends string>(
  field: Field,
  declared: FilterField,
  wanted: unknown,
  filter: Condition<Field>[],
  faults: Fault[],
): void {
  const operators: [string, unknown][] = isObject(wanted) ? Object.entries(wanted) : [["$eq", wanted]];
  if (operators.length === 0) {
    faults.push({
      name: "filterOperatorUnknown",
      message: `The filter on ${quote(field)} has no operator. Use ${oneOf(declared.operators)}.`,
    });
  }
  for (const [given, value] of operators) {
    const operator = declared.operators.find((candidate) => candidate === given);
    if (operator === undefined) {
      faults.push({
        name: "filterOperatorUnknown",
        message: `The field ${quote(field)} has no operator ${quote(given)}. Use ${oneOf(declared.operators)}.`,
      });
    } else {
      const condition = readCondition(field, declared.kind, operator, value, faults);
      if (condition) filter.push(condition);
    }
  }
}

function readCondition<Field extends string>(
  field: Field,
  kind: FieldKind,
  operator: Operator,
  value: unknown,
  faults: Fault[],
): Condition<Field> | undefined {
  switch (operator) {
    case "$in": {
      if (!Array.isArray(value) || !value.every((one) => typeof one === "string")) {
        faults.push(invalidValue(field, operator, "a list of strings"));
        return undefined;
      }
      if (value.length > filterLimits.values) {
        faults.push({
          name: "filterTooLarge",
          message: `The $in of ${quote(field)} has ${value.length} values; use at most ${filterLimits.values}.`,
        });
        return undefined;
      }
      return { field, operator, value: value.map((one) => readText(kind, one)) };
    }
    case "$gt":
    case "$gte":
    case "$lt":
    case "$lte": {
      const moment = typeof value === "string" ? parseTimestamp(value) : undefined;
      if (!moment) {
        faults.push(invalidValue(field, operator, 'an RFC 3339 timestamp such as "2026-11-01T00:00:00Z"'));
        return undefined;
      }
      const roundsUp = moment.isRoundedDown && (operator === "$gte" || operator === "$lt");
      return { field, operator, value: moment.milliseconds + (roundsUp ? 1 : 0) };
    }
    default: {
      if (kind === "flag") {
        if (operator === "$eq" && typeof value === "boolean") return { field, operator, value };
        faults.push(invalidValue(field, operator, "true or false"));
        return undefined;
      }
      if (typeof value !== "string") {
        faults.push(invalidValue(field, operator, "a string"));
        return undefined;
      }
      return { field, operator, value: readText(kind, value) };
    }
  }
}

function readText(kind: FieldKind, value: string): string {
  return kind === "id" ? canonicalId(value) : value;
}

function invalidValue(field: string, operator: Operator, right: string): Fault {
  return { name: "filterValueInvalid", message: `The ${operator} of ${quote(field)} has to be ${right}.` };
}

function unknownField(name: string, known: string[]): Fault {
  return {
    name: "filterFieldUnknown",
    message: `There is no filter on ${quote(name)}. ${known.length === 0 ? "This list has none" : `Filter by ${oneOf(known)}`}.`,
  };
}

function oneOf(words: readonly string[]): string {
  return words.length === 1 ? String(words[0]) : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  const keys: Key[] = [];
  for (const key in record) keys.push(key);
  return keys;
}
