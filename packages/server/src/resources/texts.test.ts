import { expect, test } from "bun:test";
import { FieldChecks } from "./texts";

function read(text: string, longest = 5): string {
  const checks = new FieldChecks();
  const line = checks.line("name", text, longest);
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

test("what turns the text around it is refused, and the sentence says so", () => {
  for (const text of ["a\u202eb", "a\u2066b", "\u200fa"]) {
    expect(() => read(text)).toThrow('The field "name" has to be free of characters that turn text around.');
  }
});
