import { errorCodes } from "@holdfast/runner/error-codes";
import { code, page, table } from "./markdown";

export function errorCodesPage(): string {
  const entries = Object.entries(errorCodes);
  const rows = (reporter: string) =>
    entries
      .filter(([, { reportedBy }]) => reportedBy === reporter)
      .map(([name, { cause, remedy }]) => [code(name), cause, remedy]);
  const ofEngines = entries.flatMap(([name, { remedyFor = {} }]) =>
    Object.entries(remedyFor).map(([engine, remedy]) => [code(name), engine, remedy]),
  );
  const headings = ["`error.code`", "Cause", "Remedy"];
  return page("Error codes of tasks", [
    "A task that failed, and one that ended with a warning, has an `error`. Its `code` is one of these words, its `message` is the engine's own line, and its `remedy` says what to do. The same failure has the same code and remedy on every host, so a [filter](filters.md) on `error.code` finds them all. Programs that report tasks themselves may use codes of their own.",
    "## Reported by runners",
    table(headings, rows("runner")),
    "## Remedies of single engines",
    "Where an engine needs other steps, its tasks have this remedy instead.",
    table(["`error.code`", "Engine", "Remedy"], ofEngines),
    "## Set by the service",
    table(headings, rows("service")),
    "## Of other tools",
    "The demonstration data also shows failures of tools that the runner does not know.",
    table(headings, rows("demonstration")),
  ]);
}
