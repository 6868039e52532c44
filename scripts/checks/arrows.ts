import { existsSync } from "node:fs";
import type { IModule, IRuleSummary, IViolation } from "dependency-cruiser";
import rules from "../../.dependency-cruiser.json" with { type: "json" };
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

/** Which package and which floor of the server may import which: the rules are in `.dependency-cruiser.json`. */
export const arrows: Check = {
  name: "arrows between packages and floors",
  async find() {
    const { output, report } = await runCommand([
      bun,
      "--bun",
      "node_modules/.bin/depcruise",
      "--output-type=json",
      ...rooms.filter((room) => existsSync(room)),
    ]);
    const cruised = readReport(output);
    return cruised
      ? crookedArrows(
          cruised,
          rules.forbidden.filter(({ name }) => name.startsWith("floor-")),
        )
      : [report];
  },
};

/** A rule of a floor, and the files that it is for. */
export interface FloorRule {
  name: string;
  from: { path?: string };
}

/** Finds faults in the imports that dependency-cruiser has read. */
export function crookedArrows({ modules, summary }: CruiseReport, floors: readonly FloorRule[] = []): string[] {
  const own = modules.filter(({ source }) => source.startsWith("packages/"));
  if (own.length < fewestModules) {
    return [`dependency-cruiser has read ${own.length} modules of packages/. Pin a TypeScript that it knows.`];
  }
  const idle = floors.filter(({ from }) => !own.some(({ source }) => new RegExp(from.path ?? "$^").test(source)));
  return [
    ...idle.map(
      ({ name }) => `${name}: no file is on this floor. Name a folder that exists in .dependency-cruiser.json.`,
    ),
    ...summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} must not import ${to}.`),
  ];
}

function readReport(output: string): CruiseReport | undefined {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}
