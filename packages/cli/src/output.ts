import { once } from "node:events";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";

/** One column of a table for people. */
export interface Column<Row> {
  title: string;
  text: (row: Row) => string;
}

/** Prints a command's result on standard output, where nothing else is ever written. */
export function printResult(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The same for one line of many: waits where the reader is slower than we are. */
export async function printResultLine(line: string): Promise<void> {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, "drain");
}

/** One JSON array, for programs. */
export function formatJson(items: readonly unknown[]): string {
  return JSON.stringify(items, null, 2);
}

/** An aligned table, for people. */
export function formatTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => onOneLine(column.text(row)))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => widthOf(line[index] ?? ""))));
  return cells
    .map((line) =>
      line
        .map((cell, index) => cell + " ".repeat((widths[index] ?? 0) - widthOf(cell)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** What came from elsewhere cannot move the cursor or colour the terminal. */
export function onOneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, "�");
}

function widthOf(text: string): number {
  return [...text].length;
}

/** A moment to the minute, UTC, as tables show it. */
export function formatMinute(moment: number | null): string {
  return moment === null ? "-" : formatTimestamp(moment).slice(0, 16).replace("T", " ");
}

/** A moment as JSON shows it. */
export function formatMoment(moment: number | null): string | null {
  return moment === null ? null : formatTimestamp(moment);
}
