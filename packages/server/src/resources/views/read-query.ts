import { type Fault, quote } from "@holdfast/api/conventions/api-error";
import { parseFilter } from "@holdfast/api/conventions/filter";
import { parseParameters } from "@holdfast/api/conventions/parse-parameters";
import { parseSort } from "@holdfast/api/conventions/sort";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import type { FieldChecks } from "@holdfast/api/conventions/texts";
import { resources } from "@holdfast/api/resources/index";
import { brokenNames, rightValue, type ViewPageName, viewPages, writeQuery } from "@holdfast/api/resources/view-pages";

/** Reads a query of a page as it is to be stored. Everything in it has to mean something to the page and to its list. */
export function readViewQuery(checks: FieldChecks, page: ViewPageName, given: string, unitId: string): string {
  const described = viewPages[page];
  const faults: Fault[] = [];
  const parameters = parseParameters(given.replace(/^\?/, ""), described.names, faults);
  const texts = Object.fromEntries(described.names.map((name) => [name, parameters.get(name) || undefined]));
  for (const name of brokenNames(described, texts)) {
    const message = `The value of ${name} is ${quote(texts[name] ?? "")}. Give ${rightValue(described, name)}.`;
    faults.push({ name: "parameterInvalid", message });
  }
  const { filters, sorts } = listOf(page);
  const filter = JSON.stringify(described.filterOf(texts, { now: 0, unitId }));
  faults.push(...parseFilter(filter, filters).faults);
  if (sorts) parseSort(described.sortOf(texts), sorts, faults);
  const query = writeQuery(texts);
  if (query.length > textLimits.viewQuery) {
    checks.fail("query", `at most ${textLimits.viewQuery} characters, percent-encoded`);
  }
  for (const { message } of faults)
    checks.refuse(["query"], `The field "query" has to be one of the page ${page}. ${message}`);
  return query;
}

/** The list that a page shows. */
function listOf(page: ViewPageName) {
  const operations = resources.find(({ name }) => name === page)?.versions[0].operations;
  const list = operations?.find((operation) => operation.kind === "list" && operation.id === `list-${page}`);
  if (list?.kind !== "list") throw new Error(`There is no list of ${page}.`);
  return list;
}
