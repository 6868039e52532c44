import { expect, test } from "bun:test";
import { compareIds, idsIn, numbersIn } from "./design-ids";
import { codeOf } from "./source-files";

test("ids are whole words in the code of a test: no comment, no part of a longer id, no time of day", () => {
  const comment = codeOf({ path: "a.test.ts", text: "// T5 is still to do\nrun();" });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template literal in the code of a test.
  const code = ['test("T6, R12: a revoked token is refused", run);', "at(`${day}T10:30`)", "T050", comment];
  expect(idsIn(code)).toEqual(new Set(["T6", "R12"]));
});

test("numbers of journeys are those at the beginning of a name", () => {
  const code = [
    'test("12, 13, T8: switches the unit", run);',
    'describe("39, T23: looks", all);',
    'test("2 tasks", run);',
  ];
  expect(numbersIn(code)).toEqual(new Set(["12", "13", "39"]));
});

const page = "| id | attack |\n|---|---|\n| T1 | forged |\n| T2 | wrong |\n";

test("nothing is wrong if each id is defined once and named", () => {
  expect(compareIds(page, new Set(["T1", "T2"]), "p.md")).toEqual([]);
});

test("an id without a row, and a row without a test, are found", () => {
  expect(compareIds(page, new Set(["T1", "T3"]), "p.md")).toEqual([
    "A test names T3, which docs/design/p.md does not define.",
    "No test names T2 of docs/design/p.md. Write it into the name of its proof.",
  ]);
});

test("a row may say why no test names it, and not after one does", () => {
  const excused = `${page}| T3 | Not named by a test: a suite of its own proves it |\n`;
  expect(compareIds(excused, new Set(["T1", "T2"]), "p.md")).toEqual([]);
  expect(compareIds(excused, new Set(["T1", "T2", "T3"]), "p.md")).toEqual([
    "docs/design/p.md says that no test names T3, but one does.",
  ]);
  expect(compareIds(`${page}| T3 | Not named by a test: |\n`, new Set(["T1", "T2"]), "p.md")).toHaveLength(1);
});

test("a row that is there twice is found", () => {
  expect(compareIds(`${page}| T2 | again |\n`, new Set(["T1", "T2"]), "p.md")).toEqual([
    "docs/design/p.md defines T2 twice.",
  ]);
});
