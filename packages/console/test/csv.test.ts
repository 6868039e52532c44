import { expect, test } from "bun:test";
import { budgetFaults } from "../build/budgets";
import { csvOf } from "../src/texts/csv";

test("no cell of a CSV file can be read as a formula, and cells keep their commas and quotes", () => {
  expect(
    csvOf([
      ["=1+1", "@x", "-2", "+3"],
      ['say "hi", you', "plain", null, "a\nb"],
    ]),
  ).toBe(`'=1+1,'@x,'-2,'+3\r\n"say ""hi"", you",plain,,"a\nb"\r\n`);
});

test("a build that loads too much is refused, with what is too large", () => {
  const entry = { name: "index.js", gzip: 214_000, text: "", isEntry: true };
  const page = { name: "page.js", gzip: 41_000, text: 'import"./part.js"', isEntry: false };
  const part = { name: "part.js", gzip: 6_000, text: "", isEntry: false };
  expect(budgetFaults([entry])).toEqual([]);
  expect(budgetFaults([entry, page, part])).toEqual([
    "The first load with page.js: 261.0 kB of gzip, at most 260 are allowed.",
    "page.js: 47.0 kB of gzip, at most 40 are allowed.",
  ]);
});
