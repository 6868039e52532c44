import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { foldCase } from "./fold-case";

/** Every character that has a capital or a small form. */
const casedCharacters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /\p{Changes_When_Casemapped}/u.test(character));

describe("folding letter case", () => {
  test.each([
    ["ADA", "ada"],
    ["Straße", "STRASSE"],
    ["ẞ", "ss"],
    ["ΟΔΥΣΣΕΥΣ", "οδυσσευς"],
    ["ς", "σ"],
    ["ÅNGSTRÖM", "ångström"],
    ["ЖЕНЯ", "женя"],
    ["ﬁne", "FINE"],
    ["ſ", "S"],
    ["\u212A", "k"],
    ["µ", "Μ"],
    ["ǅ", "ǆ"],
    ["𐐀", "𐐨"],
    ["Ꭰ", "ꭰ"],
  ])("makes %s and %s equal", (one, other) => {
    expect(foldCase(one)).toBe(foldCase(other));
  });

  test.each([
    ["é", "e"],
    ["a", "b"],
    ["日", "月"],
    ["ö", "oe"],
  ])("keeps %s and %s apart", (one, other) => {
    expect(foldCase(one)).not.toBe(foldCase(other));
  });

  test("makes every letter equal to its capital and to its small form", () => {
    const unequal = casedCharacters.filter((character) => {
      const folded = foldCase(character);
      return foldCase(character.toUpperCase()) !== folded || foldCase(character.toLowerCase()) !== folded;
    });
    expect(casedCharacters.length).toBeGreaterThan(2500);
    expect(unequal).toEqual([]);
  });

  test("changes nothing when it is done again", () => {
    expect(casedCharacters.filter((character) => foldCase(foldCase(character)) !== foldCase(character))).toEqual([]);
  });

  test("folds a part of a text as it folds the whole, so that parts can be found", () => {
    const unit = fc.oneof(
      fc.constantFrom("Σ", "ς", "σ", "İ", "ß", "ﬁ", " ", "a"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    );
    const text = fc.string({ unit, maxLength: 8 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(foldCase(one + other)).toBe(foldCase(one) + foldCase(other));
      }),
      { numRuns: 500 },
    );
  });
});
