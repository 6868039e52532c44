import { existsSync } from "node:fs";
import type { IModule, IRuleSummary, IViolation } from "dependency-cruiser";
import { bun, runCommand } from "../run-command";
import type { Check } from "./check";

/** dependency-cruiser passes a workspace that it cannot read, as it does with a TypeScript that it does not know. */
const fewestModules = 20;
const rooms = ["packages", "scripts", "docs", "bench"];

/** The part of dependency-cruiser's report that is read here. */
export interface CruiseReport {
  modules: Pick<IModule, "source">[];
  summary: { violations: (Pick<IViolation, "from" | "to"> & { rule: Pick<IRuleSummary, "name"> })[] };
}

/** Which package may import which: the rules are in `.dependency-cruiser.json`. */
export const arrows: Check = {
  name: "arrows between packages",
  async find() {
    const { output, report } = await runCommand([
      bun,
      "--bun",
      "node_modules/.bin/depcruise",
      "--output-type=json",
      ...rooms.filter((room) => existsSync(room)),
    ]);
    const cruised = readReport(output);
    return cruised ? crookedArrows(cruised) : [report];
  },
};

/** What is wrong with the imports that dependency-cruiser has read. */
export function crookedArrows({ modules, summary }: CruiseReport): string[] {
  const own = modules.filter(({ source }) => source.startsWith("packages/"));
  if (own.length < fewestModules) {
    return [`dependency-cruiser has read ${own.length} modules of packages/. Pin a TypeScript that it knows.`];
  }
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} must not import ${to}.`);
}

function readReport(output: string): CruiseReport | undefined {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}
