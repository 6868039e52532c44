import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BenchRun, Row } from "./result";

const keptRuns = join(import.meta.dir, "results");
/** Load averages above this are those of a machine with other work, for each core. */
const busy = 1.5;

/** A table: its headings and its lines. */
export interface Table {
  headings: string[];
  lines: string[][];
}

export function rowTable(rows: readonly Row[]): Table {
  const verdict = ({ isHeld }: Row) => (isHeld === null ? "" : isHeld ? "held" : "missed");
  return {
    headings: ["", "measured", "aim", "held or missed", "of it"],
    lines: rows.map((row) => [row.what, `${numberOf(row.value)}${row.unit}`, row.aim ?? "", verdict(row), row.detail]),
  };
}

/** When, on what and with what a run was made, and how many aims it holds. */
export function runText({ at, commit, options, machine, runtime, loadAverage, minutes, rows }: BenchRun): string {
  const judged = rows.filter(({ isHeld }) => isHeld !== null);
  const held = judged.filter(({ isHeld }) => isHeld);
  const { tasks, database, processes } = options;
  const size = `${tasks.toLocaleString("en")} tasks in ${database}${processes > 1 ? `, ${processes} processes` : ""}`;
  const on = `${machine.cores} cores (${machine.processor}), ${machine.memoryGiB} GiB, ${machine.system}, ${runtime}`;
  const isBusy = Math.max(...loadAverage) > busy * machine.cores;
  return [
    `${at.slice(0, 10)}, commit ${commit}: ${size}, ${minutes} minutes; ${on}; load average ${loadAverage[0]} before and ${loadAverage[1]} after.`,
    `${held.length} of ${judged.length} aims are held.`,
    ...(isBusy ? ["The machine was busy with other work: times say little."] : []),
  ].join(" ");
}

/** All rows in columns, for a terminal. */
export function inColumns({ headings, lines }: Table): string {
  const all = [headings, ...lines];
  const widths = headings.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)));
  const written = (cells: readonly string[]) =>
    cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return all.map((cells) => written(cells).trimEnd()).join("\n");
}

/** Writes a run as JSON and gives the paths. The documentation takes its figures from a run that is kept. */
export async function writeRun(run: BenchRun, folder: string, isKept: boolean): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "bench.json");
  await Bun.write(file, `${JSON.stringify(run, rounded, 2)}\n`);
  if (!isKept) return [file];
  const kept = join(keptRuns, `${run.options.database.toLowerCase()}.json`);
  copyFileSync(file, kept);
  return [file, `${kept} (run npm run docs)`];
}

/** Three digits, as far as there are any after the point. */
export function numberOf(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const digits = value === 0 ? 0 : Math.max(0, Math.min(2, 2 - Math.floor(Math.log10(Math.abs(value)))));
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}
