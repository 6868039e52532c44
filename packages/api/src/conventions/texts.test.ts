import { expect, test } from "bun:test";
import { cleanLine } from "./clean-line";
import { FieldChecks, readLine } from "./texts";

function read(text: string, maxLength = 5): string {
  const checks = new FieldChecks();
  const line = checks.line("name", text, maxLength);
  checks.finish();
  return line;
}

test("a line is trimmed, and what looks alike is stored alike", () => {
  expect(read("  Ada ")).toBe("Ada");
  expect(read("Zu\u0308ri")).toBe("Züri");
});

test("its length is counted in characters as people see them written, not in what stores them", () => {
  expect(read("😀".repeat(5))).toBe("😀".repeat(5));
  expect(() => read("😀".repeat(6))).toThrow('The field "name" has to be 1 to 5 characters on one line.');
  expect(() => read("x".repeat(1_000_000))).toThrow("1 to 5 characters");
});

test("what is empty, breaks the line or cannot be stored is refused", () => {
  for (const text of ["", "  ", "a\nb", "a\u2028b", "a\u0085b", "a\0b", "a\ud800"]) {
    expect(() => read(text)).toThrow("1 to 5 characters on one line");
  }
});

test("T37: a heap of marks is refused before anything sorts it", () => {
  const heap = (marks: number) => `a${"\u0301".repeat(marks / 2)}${"\u0316".repeat(marks / 2)}`;
  expect(() => read(heap(32), 200)).toThrow('The field "name" has to be free of characters with more than 30 marks.');
  expect(read(heap(30), 200)).toBe(heap(30).normalize("NFC"));
  expect(() => read(heap(200_000), 200)).toThrow('The field "name" has to be 1 to 200 characters on one line.');
  expect(cleanLine(heap(200_000), 200)).toBe(`á${"\u0301".repeat(29)}`);
});

test("what cannot be seen or turns the text around it is refused, and the sentence says so", () => {
  for (const text of [
    "a\u202eb",
    "a\u2066b",
    "\u200fa",
    "own\u200ber",
    "ad\u00admin",
    "\u2060x",
    "\u3164",
    "a\u{e0061}",
  ]) {
    const sentence = 'The field "name" has to be free of characters that cannot be seen or turn text around.';
    expect(() => read(text, 9)).toThrow(sentence);
  }
  for (const text of ["ad\u200dmi", "admi\u200c", "admi\ufe0f"]) expect(() => read(text, 9)).toThrow("cannot be seen");
});

test("what scripts and emoji are made of is a part of names", () => {
  for (const text of ["می\u200cخو", "क्\u200dष", "👩\u200d💻", "❤\ufe0f", "1\ufe0f\u20e3", "日本語"])
    expect(read(text)).toBe(text);
});

test("a text from elsewhere is made to fit, or is nothing", () => {
  const made = ["evil\u202egpj", "a\u2028b", "\u0001", " e\u0301 ", "x".repeat(99), "a\ud800"].map((text) =>
    cleanLine(text, 9),
  );
  expect(made).toEqual(["evil gpj", "a b", "", "é", "x".repeat(9), "a\ufffd"]);
  for (const odd of ["é\u202e\u200dé", `${"é".repeat(8)}\u200dé`, "\u200d\u200d\u200d"]) {
    const line = cleanLine(odd, 9);
    expect([line, line === "" ? undefined : readLine(line, 9).fault]).toEqual([line, undefined]);
  }
});
