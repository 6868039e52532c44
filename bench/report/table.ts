import type { BenchRun, Growth, RowResult } from "../result";
import { baseOf, doubtsOf, heldText, numberOf, ratioText, runText, sideText, verdict } from "./format";

/** A table: its headings and its lines. */
export interface Table {
  headings: string[];
  lines: string[][];
}

/** All rows as one table. Columns of peers are there if there were any. */
export function rowTable({ rows, peers }: Pick<BenchRun, "rows" | "peers">): Table {
  return {
    headings: [
      "what",
      "ours",
      "bare",
      ...peers.map(({ name }) => name),
      "ratio",
      "of its processor time",
      "aim",
      "held or missed",
    ],
    lines: rows.map((row) => [
      row.what,
      sideText(row.sides.ours, row.unit),
      sideText(baseOf(row), row.unit),
      ...peers.map(({ name }) => sideText(row.sides[name], row.unit)),
      ratioText(row),
      row.ratio?.cpu ? `${numberOf(row.ratio.cpu.median)} ×` : "",
      row.aim?.text ?? "",
      verdict(row),
    ]),
  };
}

/** A growth as a table: one line for each thing that was measured, one column for each size. */
export function growthTable({ axis, sizes, lines }: Growth): Table {
  return {
    headings: [axis, ...sizes.map((size) => size.toLocaleString("en")), "it grows"],
    lines: lines.map(({ what, unit, values, law }) => [
      what,
      ...values.map((value) => (value === null ? "–" : `${numberOf(value.median)}${unit}`)),
      law,
    ]),
  };
}

/** What is shown when a row was measured. */
export function shortLine(row: RowResult): string {
  const mark = row.aim ? (row.aim.isHeld ? "ok  " : "MISS") : "    ";
  const aim = row.aim ? `, aim: ${row.aim.text}` : "";
  const ratio = row.ratio ? `, ${ratioText(row)}` : "";
  return `${mark}  ${row.what}: ${sideText(row.sides.ours, row.unit)}${ratio}${aim}`;
}

/** Everything at the end of a run, for a terminal. */
export function writtenTables(run: BenchRun): string {
  const parts = [
    runText(run),
    "In brackets: milliseconds of processor time for each request. Bare is what the ratio is of.",
    inColumns(rowTable(run)),
    ...run.growth.map((growth) => `${growth.name}\n${inColumns(growthTable(growth))}`),
    [heldText(run), ...doubtsOf(run)].join(" "),
  ];
  return parts.join("\n\n");
}

function inColumns({ headings, lines }: Table): string {
  const all = [headings, ...lines];
  const widths = headings.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [line(headings), line(widths.map((width) => "-".repeat(width))), ...lines.map(line)].join("\n");
}
