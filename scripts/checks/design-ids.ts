import type { Check } from "./check";
import { codeOf, readSourceFiles } from "./source-files";

const folder = "docs/design";
/** Pages whose rows are attacks (T) and promises (R), and the page of the statements that journeys of the console prove. */
const rowPages = ["threats.md", "promises.md"];
const consolePage = "console.md";

/** Ids that tests name and the design defines are the same, so a reader finds the meaning of each and the proof of each. */
export const designIds: Check = {
  name: "every id that a test names is defined in docs/design, and the reverse",
  async find() {
    const own = /^scripts\/checks\/design-ids\.test\.ts$/;
    const sources = await readSourceFiles("{packages,scripts,docs,bench}/**/*.ts");
    const tests = sources.filter(({ path }) => /\.test\.ts$|\/test\//.test(path) && !own.test(path)).map(codeOf);
    const journeys = sources.filter(({ path }) => path.startsWith("packages/console/test/")).map(codeOf);
    const pages = await Promise.all(rowPages.map((page) => Bun.file(`${folder}/${page}`).text()));
    return [
      ...compareIds(pages.join("\n"), idsIn(tests), rowPages.join(" and ")),
      ...compareIds(await Bun.file(`${folder}/${consolePage}`).text(), numbersIn(journeys), consolePage),
    ];
  },
};

/** The ids of attacks and promises in code. `T10:00` is a time. */
export function idsIn(code: readonly string[]): Set<string> {
  return new Set(code.flatMap((text) => text.match(/\b[TR][1-9]\d?\b(?!:\d)/g) ?? []));
}

/** The numbers at the beginning of the names of journeys, such as 12 and 13 of `test("12, 13, T8: …")`. */
export function numbersIn(code: readonly string[]): Set<string> {
  const names = code.flatMap((text) => [...text.matchAll(/\b(?:test|describe)\(\s*["'`]((?:[TR]?\d+(?:, )?)+): /g)]);
  return new Set(names.flatMap(([, ids = ""]) => ids.split(", ")).filter((id) => /^\d/.test(id)));
}

/** Gives a sentence for each id that only a test or only a page has. A row without a test says so: "Not named by a test: why". */
export function compareIds(page: string, named: ReadonlySet<string>, where: string): string[] {
  const rows = [...page.matchAll(/^\| ([TR]?\d+) \| .*$/gm)].map(([row, id = ""]) => ({ row, id }));
  const defined = new Set(rows.map(({ id }) => id));
  const twice = rows.filter(({ id }, at) => rows.findIndex((other) => other.id === id) !== at);
  const untested = rows.filter(({ row, id }) => !named.has(id) && !/Not named by a test: \w/.test(row));
  const excused = rows.filter(({ row, id }) => named.has(id) && row.includes("Not named by a test"));
  const undefinedIds = [...named].filter((id) => !defined.has(id));
  return [
    ...undefinedIds.map((id) => `A test names ${id}, which ${folder}/${where} does not define.`),
    ...untested.map(({ id }) => `No test names ${id} of ${folder}/${where}. Write it into the name of its proof.`),
    ...excused.map(({ id }) => `${folder}/${where} says that no test names ${id}, but one does.`),
    ...twice.map(({ id }) => `${folder}/${where} defines ${id} twice.`),
  ];
}
