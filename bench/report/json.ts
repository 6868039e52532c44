import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BenchRun } from "../result";
import { reportPage } from "./html";

/** Where the runs are from which the documentation takes its figures. */
const keptRuns = join(import.meta.dir, "../results");

/** Writes a run as JSON and as a page, and gives where they are. */
export async function writeReport(run: BenchRun, folder: string, isKept: boolean): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const [json, page] = [join(folder, "bench.json"), join(folder, "bench.html")];
  await Bun.write(json, `${JSON.stringify(run, rounded, 2)}\n`);
  await Bun.write(page, reportPage(run));
  if (!isKept) return [json, page];
  const kept = join(keptRuns, `${run.options.database.toLowerCase()}.json`);
  copyFileSync(json, kept);
  return [json, page, `${kept} (run npm run docs)`];
}

/** Five digits say more than was measured. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}
