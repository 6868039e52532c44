import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { doubtsOf, heldText, runText } from "../../bench/report/format";
import { growthTable, rowTable, type Table } from "../../bench/report/table";
import type { BenchRun, RowResult } from "../../bench/result";
import { table } from "./markdown";

/** The pages whose figures come from a run of the benchmark, from the folder of the documentation. */
export const pagesWithFigures = ["explanation/speed.md", "explanation/why-the-list-can-be-trusted.md"];

const keptRuns = join(import.meta.dir, "../../bench/results");
const block =
  /(<!-- Figures: (\S+) (\S+)\. Written by `npm run docs` from bench\/results\. -->\n)[\s\S]*?(<!-- End of figures -->)/g;

/** What a block of figures shows of a run. */
const blocks: Record<string, (run: BenchRun) => string[]> = {
  aims: (run) => [
    `${runText(run)} ${[heldText(run), ...doubtsOf(run)].join(" ")}`,
    tableOf(withoutPeers({ ...run, rows: run.rows.filter(({ group }) => group !== "streams") })),
  ],
  peers: (run) => [
    run.peers.map(({ name, about }) => `- **${name}**: ${about}`).join("\n"),
    tableOf(rowTable({ peers: run.peers, rows: run.rows.filter((row) => isSideBySide(run, row)) })),
  ],
  growth: (run) =>
    run.growth.flatMap((growth) => [`### ${growth.name}`, ...growth.notes, tableOf(growthTable(growth))]),
  streams: (run) => [tableOf(withoutPeers({ ...run, rows: run.rows.filter(({ group }) => group === "streams") }))],
  reports: (run) => [
    runText(run),
    tableOf(withoutPeers({ ...run, rows: run.rows.filter(({ group }) => group === "reports and writes") })),
  ],
};

/** A page with its figures as the kept runs have them. */
export function withFigures(page: string, runOf: (database: string) => BenchRun | undefined = keptRun): string {
  return page.replace(block, (_, begin: string, name: string, database: string, end: string) => {
    const show = blocks[name];
    if (!show) throw new Error(`There are no figures called ${name}. There are ${Object.keys(blocks).join(", ")}.`);
    const run = runOf(database);
    const parts = run ? show(run).filter((part) => part !== "") : [];
    const text = parts.length > 0 ? parts.join("\n\n") : "The run that is kept has none of these.";
    return `${begin}\n${text}\n\n${end}`;
  });
}

function keptRun(database: string): BenchRun | undefined {
  const file = join(keptRuns, `${database.toLowerCase()}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

function isSideBySide({ peers }: BenchRun, { sides }: RowResult): boolean {
  return peers.some(({ name }) => name in sides);
}

/** All columns but those of peers, which have a table of their own. */
function withoutPeers({ rows }: BenchRun): Table {
  return rowTable({ rows, peers: [] });
}

function tableOf({ headings, lines }: Table): string {
  return lines.length === 0 ? "" : table(headings, lines);
}
