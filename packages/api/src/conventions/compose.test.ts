import { expect, test } from "bun:test";
import { compose, withoutHeaps } from "./compose";

const heap = (marks: number) => `a${"\u0301".repeat(marks / 2)}${"\u0316".repeat(marks / 2)}b`;

test("what looks alike is alike", () => {
  expect(compose("Zu\u0308rich", 10)).toBe("Zürich");
  expect(compose("Zürich", 10)).toBe("Zürich");
});

test("what is too long is not composed", () => {
  expect(compose("Zürich", 6)).toBe("Zürich");
  expect(compose("Zu\u0308rich", 6)).toBeUndefined();
});

test("T37: a heap of marks is not composed, and can be cut down to what is", () => {
  expect(compose(heap(30), 100)).toBe(heap(30).normalize("NFC"));
  expect(compose(heap(32), 100)).toBeUndefined();
  expect(compose(heap(1_000_000), 2_000_000)).toBeUndefined();
  expect(withoutHeaps(`${heap(60)}${heap(30)}`)).toBe(`a${"\u0301".repeat(30)}b${heap(30)}`);
});

test("what is written with many marks in some language is no heap", () => {
  for (const text of ["Nguyễn", "ཧྐྵྨླྺྼྻྂ", "שָׁלוֹם", "กี่", "ক্ষ্ম্য"]) {
    expect(compose(text.normalize("NFD"), 100)).toBe(text.normalize("NFC"));
  }
});
