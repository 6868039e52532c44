import type { Paint, TerminalStream, Tone } from "../terminal/colours";
import { visible } from "../terminal/visible";
import { padded, shortened, widthOf } from "../terminal/width";

/** One column of a list: for people as a table, for programs as CSV. */
export interface Column<Row> {
  /** Its name in CSV, such as created_timestamp. */
  name: string;
  /** Its title in a table. */
  title: string;
  /** The cell, for programs. */
  value: (row: Row) => string;
  /** The cell for people, where that differs. */
  text?: (row: Row) => string;
  tone?: (row: Row) => Tone | undefined;
  /** Makes what gives a shorter cell, for a terminal that is too narrow for all columns. */
  narrow?: (rows: readonly Row[]) => (row: Row) => string;
  /** It may be cut where the terminal is too narrow: down to 8 columns, or so many; to twice as many before others are left out. */
  canShrink?: true | number;
  /** It is left out where the terminal is too narrow even so: after the others, if it is dear. */
  isExtra?: true | "dear";
  /** It is only in CSV. */
  isHidden?: true;
}

export interface TableStyle {
  paint: Paint;
  /** Width of the terminal in columns; nothing is cut if it is undefined. */
  width: number | undefined;
}

const between = "  ";
const narrowest = 8;

/** Style of a table on a stream: cut to its width if it is a terminal. */
export function styleFor(stream: TerminalStream, paint: Paint): TableStyle {
  return { paint, width: stream.isTTY === true ? stream.columns : undefined };
}

/** An aligned table, for people. Text from outside cannot steer the terminal. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { paint, width }: TableStyle,
): string[] {
  const { shown, cells, widths } = fit(
    columns.filter(({ isHidden }) => !isHidden),
    rows,
    width,
  );
  const draw = (line: readonly string[], toneOf: (index: number) => Tone | undefined) => {
    let left = width ?? Number.POSITIVE_INFINITY;
    return line
      .map((cell, index) => {
        const isLast = index === line.length - 1;
        const fitted = shortened(cell, Math.max(0, Math.min(widths[index] ?? 0, left)));
        left -= (widths[index] ?? 0) + between.length;
        const gap = isLast ? "" : " ".repeat(Math.max(0, (widths[index] ?? 0) - widthOf(fitted)));
        return paint(fitted, toneOf(index)) + gap;
      })
      .join(between)
      .trimEnd();
  };
  return [
    draw(
      shown.map(({ title }) => title),
      () => "strong",
    ),
    ...cells.map((line, at) => draw(line, (index) => toneIn(shown[index], rows[at]))),
  ];
}

/** The cells of a table, and how wide its columns are. */
interface Measured<Row> {
  shown: readonly Column<Row>[];
  cells: string[][];
  widths: number[];
}

/** Chooses the columns that fit: cells are written shorter, then the widest are cut, then what is extra is left out. */
function fit<Row>(shown: readonly Column<Row>[], rows: readonly Row[], width: number | undefined): Measured<Row> {
  const whole = measure(shown, rows, ({ text, value }) => text ?? value);
  if (width === undefined || tableWidth(whole.widths) <= width) return whole;
  const narrow = measure(shown, rows, (column) => column.narrow?.(rows) ?? column.text ?? column.value);
  const dear = shown.findLastIndex(({ isExtra }) => isExtra === "dear");
  const other = shown.findLastIndex(({ isExtra }) => isExtra === true);
  if (shrink(narrow.widths, shown, { width, times: other < 0 ? 1 : 2 })) return narrow;
  const extra = other < 0 ? dear : other;
  return extra < 0 ? narrow : fit(shown.toSpliced(extra, 1), rows, width);
}

function measure<Row>(
  shown: readonly Column<Row>[],
  rows: readonly Row[],
  cellsOf: (column: Column<Row>) => (row: Row) => string,
): Measured<Row> {
  const writers = shown.map(cellsOf);
  const cells = rows.map((row) => writers.map((write) => visible(write(row))));
  const widths = shown.map(({ title }, index) =>
    cells.reduce((widest, line) => Math.max(widest, widthOf(line[index] ?? "")), widthOf(title)),
  );
  return { shown, cells, widths };
}

function tableWidth(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one + between.length, -between.length);
}

function toneIn<Row>(column: Column<Row> | undefined, row: Row | undefined): Tone | undefined {
  return row === undefined ? undefined : column?.tone?.(row);
}

/** Takes from the widest columns that may be cut, until the table fits. Says whether it does. */
function shrink<Row>(
  widths: number[],
  columns: readonly Column<Row>[],
  { width, times }: { width: number; times: 1 | 2 },
): boolean {
  let over = tableWidth(widths) - width;
  for (; over > 0; over -= 1) {
    let widest: number | undefined;
    let max = 0;
    for (const [index, { canShrink }] of columns.entries()) {
      const min = canShrink === true ? narrowest : canShrink && canShrink * times;
      const own = widths[index] ?? 0;
      // A column that says how far it can be cut gets twice the room of one that does not.
      const weight = canShrink === true ? own : own / 2;
      if (min === undefined || own <= min || weight <= max) continue;
      widest = index;
      max = weight;
    }
    if (widest === undefined) return false;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return true;
}

/** Names and values below each other, for one thing. A value of several lines stays in its column. */
export function formatFacts(
  facts: readonly (readonly [name: string, value: string, tone?: Tone | undefined])[],
  { paint }: TableStyle,
): string[] {
  const width = Math.max(0, ...facts.map(([name]) => widthOf(name)));
  return facts.flatMap(([name, value, tone]) =>
    value
      .trimEnd()
      .split(/\r?\n/)
      .map((line, index) =>
        `${paint(padded(index === 0 ? name : "", width), "quiet")}${between}${paint(visible(line), tone)}`.trimEnd(),
      ),
  );
}
