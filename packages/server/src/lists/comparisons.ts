import type { Condition } from "@holdfast/api/conventions/filter";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import { type Expression, type SqlBool, sql } from "kysely";

export const never = sql<SqlBool>`1 = 0`;
const always = sql<SqlBool>`1 = 1`;
const timeOperators = { $gt: sql`>`, $gte: sql`>=`, $lt: sql`<`, $lte: sql`<=` } as const;

/** A column, as `table.column`. These names come from our own code alone; values are always bound. */
export type Column = string;

/** All of these have to hold; where there are none, everything does. */
export function allOf(conditions: readonly Expression<SqlBool>[]): Expression<SqlBool> {
  return conditions.length === 0 ? always : sql.join<SqlBool>(conditions, sql` and `);
}

/** Compares a column as it is: `$eq`, `$in` and `$neq`. */
export function compareExactly(column: Column | Expression<string>, condition: Condition): Expression<SqlBool> {
  switch (condition.operator) {
    case "$eq":
      return isOneOf(column, [textOf(condition)]);
    case "$in":
      return isOneOf(column, condition.value);
    case "$neq":
      return canBeStored(condition.value) ? sql<SqlBool>`${written(column)} <> ${condition.value}` : always;
    default:
      throw inapplicable(condition);
  }
}

/** Compares a column of milliseconds, by its index or only in rows that are found by another one. */
export function compareTime(column: Column, condition: Condition, { byIndex = true } = {}): Expression<SqlBool> {
  switch (condition.operator) {
    case "$gt":
    case "$gte":
    case "$lt":
    case "$lte":
      return sql<SqlBool>`${byIndex ? sql`` : sql`+`}${sql.ref(column)} ${timeOperators[condition.operator]} ${condition.value}`;
    default:
      throw inapplicable(condition);
  }
}

/** Compares whether something holds of a row, which must not be null: `$eq`. */
export function compareFlag(holds: Expression<SqlBool>, condition: Condition): Expression<SqlBool> {
  if (typeof condition.value !== "boolean") throw inapplicable(condition);
  return condition.value ? holds : sql<SqlBool>`not (${holds})`;
}

/** Compares a column that holds folded text: letter case does not matter, and `%` and `_` are plain characters. */
export function compareFolded(column: Column, condition: Condition): Expression<SqlBool> {
  switch (condition.operator) {
    case "$eq":
      return isOneOf(column, [foldCase(textOf(condition))]);
    case "$contains":
      return isLike(column, condition.value, (text) => `%${text}%`);
    case "$begins_with":
      return isLike(column, condition.value, (text) => `${text}%`);
    default:
      throw inapplicable(condition);
  }
}

function written(column: Column | Expression<string>) {
  return typeof column === "string" ? sql.ref(column) : column;
}

function isOneOf(column: Column | Expression<string>, values: readonly string[]): Expression<SqlBool> {
  const possible = values.filter(canBeStored);
  const [first] = possible;
  if (first === undefined) return never;
  if (possible.length === 1) return sql<SqlBool>`${written(column)} = ${first}`;
  return sql<SqlBool>`${written(column)} in (${sql.join(possible)})`;
}

function isLike(column: Column, value: string, pattern: (text: string) => string): Expression<SqlBool> {
  if (!canBeStored(value)) return never;
  const text = foldCase(value).replace(/[\\%_]/g, "\\$&");
  return sql<SqlBool>`${sql.ref(column)} like ${pattern(text)} escape '\\'`;
}

/** True if a stored text can be like this. A database refuses, cuts or mends such text, which then matches what it should not. */
export function canBeStored(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function textOf(condition: Condition): string {
  if (typeof condition.value !== "string") throw inapplicable(condition);
  return condition.value;
}

function inapplicable({ field, operator }: Condition): Error {
  return new Error(`The operator ${operator} is declared for ${field}, but nothing compares it.`);
}
