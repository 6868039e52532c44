import type { Condition, FieldKind, Filter, FilterFields } from "@holdfast/api/conventions/filter";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import { canBeStored } from "./comparisons";

type Scalar = string | number | boolean;

/** Value of a field of an item: null if it has no value, a list if one of several values has to match. Times are milliseconds. */
export type FieldValue = Scalar | null | readonly Scalar[];

/** Values of an item by field. A field that is left out has no value. */
export type FieldValues<Field extends string = string> = Readonly<Partial<Record<Field, FieldValue>>>;

/** Functions that read fields which an item does not have at the path that their name is. */
export type FieldReaders<Item, Field extends string = string> = Partial<Record<Field, (item: Item) => FieldValue>>;

/** Compiles the declaration of filters to a function that reads everything they look at: `primary_entity.id` is a path in the item. */
export function fieldReader<Item extends object, Field extends string>(
  declared: FilterFields<Field>,
  own: FieldReaders<Item, Field> = {},
): (item: Item) => FieldValues<Field> {
  const readers: [Field, (item: Item) => FieldValue][] = [];
  for (const field in declared) readers.push([field, own[field] ?? readAtPath(field, declared[field].kind)]);
  return (item) => {
    const values: Partial<Record<Field, FieldValue>> = {};
    for (const [field, read] of readers) values[field] = read(item);
    return values;
  };
}

/** Compiles a filter to a function that says whether an item with such values matches it, as lists in SQL would find it. */
export function compileFilter<Field extends string>(
  filter: Filter<Field>,
  declared: FilterFields<Field>,
): (values: FieldValues<Field>) => boolean {
  const tests = filter.map((condition) => {
    const isMatch = compileCondition(condition, declared[condition.field].kind);
    // A missing value is unequal to everything, and matches nothing else.
    const isWanted = condition.operator !== "$neq";
    return (values: FieldValues<Field>) => [values[condition.field] ?? []].flat().some(isMatch) === isWanted;
  });
  return (values) => tests.every((test) => test(values));
}

/** Compiles one comparison. `$neq` is compiled like `$eq`. */
function compileCondition(condition: Condition, kind: FieldKind): (found: Scalar) => boolean {
  const written = (text: Scalar) => (kind === "name" ? foldCase(String(text)) : text);
  switch (condition.operator) {
    case "$eq":
    case "$neq":
    case "$in": {
      const wanted = new Set([condition.value].flat().map(written));
      return (found) => wanted.has(written(found));
    }
    case "$contains":
    case "$begins_with": {
      // Half of a character is in no text, although JavaScript finds it there.
      if (!canBeStored(condition.value)) return () => false;
      const part = foldCase(condition.value);
      return condition.operator === "$contains"
        ? (found) => foldCase(String(found)).includes(part)
        : (found) => foldCase(String(found)).startsWith(part);
    }
    case "$gt":
      return (found) => Number(found) > condition.value;
    case "$gte":
      return (found) => Number(found) >= condition.value;
    case "$lt":
      return (found) => Number(found) < condition.value;
    case "$lte":
      return (found) => Number(found) <= condition.value;
  }
}

function readAtPath(path: string, kind: FieldKind): (item: object) => FieldValue {
  const names = path.split(".");
  return (item) => {
    let value: unknown = item;
    for (const name of names) value = isObject(value) ? Reflect.get(value, name) : null;
    if (kind === "timestamp") return typeof value === "string" ? Date.parse(value) : null;
    return typeof value === "string" || typeof value === "boolean" ? value : null;
  };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
