import { types } from "pg";

const bigint = 20;
const numeric = 1700;

/** Reads a column that comes as text. Our numbers are far below the largest that a number can hold exactly: none stays text. */
export function parserOf(type: number, format: "text" | "binary" = "text"): (text: string) => unknown {
  return type === bigint || type === numeric ? Number : types.getTypeParser(type, format);
}
