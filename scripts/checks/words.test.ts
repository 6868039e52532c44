import { expect, test } from "bun:test";
import { questionComments, repeatedTypes } from "./words";

test("a type that two files of a package export is found, whatever kind of type it is", () => {
  const files = [
    { path: "packages/a/src/one.ts", text: "export interface Place {}\nexport type Only = 1;\n" },
    { path: "packages/a/test/two.ts", text: "export class Place {}\ninterface Only {}\n" },
    { path: "packages/b/src/one.ts", text: "export type Only = 2;\nexport { type Place } from './two';\n" },
  ];
  expect(repeatedTypes(files)).toEqual([
    "Place is exported by packages/a/src/one.ts and packages/a/test/two.ts. Rename all but one.",
  ]);
});

test("the overloads of one file are one name", () => {
  const text = "export interface Place { x: 1 }\nexport interface Place { y: 2 }\n";
  expect(repeatedTypes([{ path: "scripts/one.ts", text }])).toEqual([]);
});

const found = (...lines: string[]) =>
  questionComments({ path: "a.ts", text: lines.join("\n") }).map((line) => line.split(".")[1]);

test.each([
  [["/** What it is. */"], ['ts:1: a comment begins with "What"']],
  [["/**", " * How it is done,", " * What follows.", " */"], ['ts:2: a comment begins with "How"']],
  [["run();", "\t// Whether it runs."], ['ts:2: a comment begins with "Whether"']],
  [["const one = 1;\t// The same again."], ['ts:1: a comment begins with "The same"']],
])("a comment that begins like a question is found: %j", (lines, faults) => {
  expect(found(...lines)).toEqual(faults);
});

test.each([
  [["/** The reason why, and what to do. */"]],
  [["// It ends here, and nobody knows", "// What comes next."]],
  [["/** Whatever comes. */"]],
  [['const text = "// What a text says";']],
  [["const product = one * What;"]],
])("nothing else is: %j", (lines) => {
  expect(found(...lines)).toEqual([]);
});
