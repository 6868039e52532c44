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
  /** It may be cut where the terminal is too narrow. */
  canShrink?: true;
  /** It is only in CSV. */
  isHidden?: true;
}

export interface TableStyle {
  paint: Paint;
  /** How many columns the terminal has; nothing is cut where that is not known. */
  width: number | undefined;
}

const between = "  ";
const narrowest = 8;

/** How a table is drawn on a stream: cut to its width if it is a terminal. */
export function styleFor(stream: TerminalStream, paint: Paint): TableStyle {
  return { paint, width: stream.isTTY === true ? stream.columns : undefined };
}

/** An aligned table, for people. Text from outside cannot steer the terminal. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { paint, width }: TableStyle,
): string[] {
  const shown = columns.filter(({ isHidden }) => !isHidden);
  const cells = rows.map((row) => shown.map(({ text, value }) => visible((text ?? value)(row))));
  const widths = shown.map(({ title }, index) =>
    Math.max(widthOf(title), ...cells.map((line) => widthOf(line[index] ?? ""))),
  );
  if (width !== undefined) shrink(widths, shown, width);
  const draw = (line: readonly string[], toneOf: (index: number) => Tone | undefined) =>
    line
      .map((cell, index) => {
        const fitted = shortened(cell, widths[index] ?? 0);
        const isLast = index === line.length - 1;
        return paint(fitted, toneOf(index)) + (isLast ? "" : padded(fitted, widths[index] ?? 0).slice(fitted.length));
      })
      .join(between)
      .trimEnd();
  return [
    draw(
      shown.map(({ title }) => title),
      () => "strong",
    ),
    ...cells.map((line, at) => draw(line, (index) => toneIn(shown[index], rows[at]))),
  ];
}

function toneIn<Row>(column: Column<Row> | undefined, row: Row | undefined): Tone | undefined {
  return row === undefined ? undefined : column?.tone?.(row);
}

/** Takes from the widest columns that may be cut, until the table fits. */
function shrink<Row>(widths: number[], columns: readonly Column<Row>[], width: number): void {
  const excess = () => widths.reduce((sum, one) => sum + one + between.length, -between.length) - width;
  for (let over = excess(); over > 0; over = excess()) {
    let widest: number | undefined;
    for (const [index, { canShrink }] of columns.entries()) {
      if (canShrink && (widths[index] ?? 0) > (widest === undefined ? narrowest : (widths[widest] ?? 0)))
        widest = index;
    }
    if (widest === undefined) return;
    widths[widest] = Math.max(narrowest, (widths[widest] ?? 0) - 1);
  }
}

/** Names and values below each other, for one thing. */
export function formatFacts(
  facts: readonly (readonly [name: string, value: string, tone?: Tone | undefined])[],
  { paint }: TableStyle,
): string[] {
  const width = Math.max(0, ...facts.map(([name]) => widthOf(name)));
  return facts.map(([name, value, tone]) =>
    `${paint(padded(name, width), "quiet")}${between}${paint(visible(value), tone)}`.trimEnd(),
  );
}
