import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rowTable, runText } from "../../bench/report";
import type { BenchRun, Row } from "../../bench/result";
import { table } from "./markdown";

/** The pages whose figures come from a run of the benchmark, from the folder of the documentation. */
export const pagesWithFigures = ["explanation/speed.md"];

const keptRuns = join(import.meta.dir, "../../bench/results");
const block =
  /(<!-- Figures: (\S+) (\S+)\. Written by `npm run docs` from bench\/results\. -->\n)[\s\S]*?(<!-- End of figures -->)/g;

const groups =
  (...names: Row["group"][]) =>
  (run: BenchRun) =>
    tableOf(run.rows.filter(({ group }) => names.includes(group)));

/** The content of each kind of block. */
const blocks: Record<string, (run: BenchRun) => string> = {
  run: runText,
  p95: groups("p95"),
  also: groups("also"),
  peer: groups("peer"),
};

/** A page with its figures as the kept runs have them. */
export function withFigures(page: string, runOf: (database: string) => BenchRun | undefined = keptRun): string {
  return page.replace(block, (_, begin: string, name: string, database: string, end: string) => {
    const show = blocks[name];
    if (!show) throw new Error(`There are no figures called ${name}. There are ${Object.keys(blocks).join(", ")}.`);
    const run = runOf(database);
    return `${begin}\n${(run && show(run)) || "The run that is kept has none of these."}\n\n${end}`;
  });
}

function keptRun(database: string): BenchRun | undefined {
  const file = join(keptRuns, `${database.toLowerCase()}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

function tableOf(rows: readonly Row[]): string {
  const { headings, lines } = rowTable(rows);
  return lines.length === 0 ? "" : table(headings, lines);
}
