import { expect, test } from "bun:test";
import { hostileTexts } from "../../../server/test/reports/hostile-texts";
import { csvLine } from "../output/csv";
import { formatFacts, formatTable } from "../output/table";
import { visible, visibleJson, visibleLines } from "./visible";

const texts = [
  ...hostileTexts.map(({ text }) => text),
  "\u009b2J",
  "a\u202eb",
  "\x1b[31m",
  "=1+1",
  "+1",
  "-1",
  "@a",
  "\t=1",
];
/** Characters that a terminal would obey, or that would turn text around. */
const obeyed = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const plain = { paint: (text: string) => text, width: undefined };

test("T34: no text from outside steers a terminal: in a cell, in a fact, in JSON and in CSV", () => {
  expect(texts.length).toBeGreaterThan(100);
  const column = { name: "a", title: "A", value: (text: string) => text };
  const printed = texts.flatMap((text) => [
    ...formatTable([column, column], [text], plain),
    ...formatFacts([["name", text]], plain),
    visibleJson(JSON.stringify({ [text]: text })),
    csvLine([text, text]),
  ]);
  expect(printed.filter((line) => obeyed.test(line))).toEqual([]);
});

test("what is made visible is shown as it is written in programs, and plain text stays as it is", () => {
  expect(visible("a\x1b[2J\r\n\t\u009b\u202e")).toBe("a\\x1b[2J\\r\\n\\t\\x9b\\u202e");
  expect(visible("Grüße, 日本 👩‍👩‍👧 e\u0301")).toBe("Grüße, 日本 👩‍👩‍👧 e\u0301");
  expect(visibleLines("one\r\ntwo\tthree\n\x07")).toBe("one\ntwo\tthree\n\\x07");
});

test("JSON means the same to a program after it was made visible", () => {
  const wellFormed = texts.filter((text) => text.isWellFormed());
  expect(wellFormed.map((text) => JSON.parse(visibleJson(JSON.stringify(text))))).toEqual(wellFormed);
});

test("T34: a cell of CSV that a spreadsheet would run as a formula is text, and quotes, commas and line ends stay in their cell", () => {
  expect(csvLine(["=1+1", "+49", "-1", "@a", " =1", "＝1", "a=1"])).toBe("'=1+1,'+49,'-1,'@a,' =1,'＝1,a=1");
  expect(csvLine(['say "hi"', "a,b", "a\nb", "", "plain"])).toBe('"say ""hi""","a,b",a\\nb,,plain');
  const risky = texts.map((text) => csvLine([text])).filter((line) => /^"?[=+\-@＝＋－＠]/.test(line));
  expect(risky).toEqual([]);
});
