import { visible } from "../terminal/visible";

/** Beginnings of text that a spreadsheet takes for a formula, in any width. */
const formula = /^[\t\r\n ]*[=+\-@＝＋－＠]/;

/** One line of CSV (RFC 4180), without its end. */
export function csvLine(cells: readonly string[]): string {
  return cells.map(csvCell).join(",");
}

/**
 * One cell. What a spreadsheet would run as a formula gets an apostrophe in front, and is text then. Control characters are
 * shown, so that a file that is printed on a terminal does not steer it.
 */
function csvCell(text: string): string {
  const shown = visible(text);
  const harmless = formula.test(text) || formula.test(shown) ? `'${shown}` : shown;
  return /[",\n\r]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
