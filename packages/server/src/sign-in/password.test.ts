import { describe, expect, test } from "bun:test";
import { createPasswords, isSamePassword } from "./password";

const passwords = createPasswords();
const cheap = createPasswords({ memoryCost: 8, timeCost: 1 });

test("a password is kept as argon2id with 19 MiB and two passes, each time with another salt", async () => {
  const [one, other] = [await passwords.hash("tractor sails violet"), await passwords.hash("tractor sails violet")];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22,}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(other);
  expect(await passwords.isRight("tractor sails violet", one)).toBe(true);
  expect(await passwords.isRight("Tractor sails violet", one)).toBe(false);
});

test("a password is as long as it is composed, however the keyboard spells it", async () => {
  const [composed, decomposed] = ["å".repeat(360), "å".repeat(360).normalize("NFD")];
  expect([Buffer.byteLength(composed), Buffer.byteLength(decomposed)]).toEqual([720, 1080]);
  const hash = await cheap.hash(decomposed);
  expect([await cheap.isRight(decomposed, hash), await cheap.isRight(composed, hash)]).toEqual([true, true]);
  const grown = "\u{1d15e}".repeat(200);
  expect([Buffer.byteLength(grown), Buffer.byteLength(grown.normalize("NFC"))]).toEqual([800, 1600]);
  expect(await cheap.isRight(grown, await cheap.hash(grown))).toBe(false);
});

test("T37: what is too long to be a password, or has a heap of marks, is not composed and fits nothing", async () => {
  const hash = await cheap.hash("tractor sails violet");
  const heap = (marks: number) => `a${"\u0301".repeat(marks / 2)}${"\u0316".repeat(marks / 2)}`;
  for (const text of [heap(500_000), heap(32), "x".repeat(1_000_000)]) {
    expect(await cheap.isRight(text, hash)).toBe(false);
    expect(isSamePassword(text, text)).toBe(false);
  }
  await expect(cheap.hash(heap(500_000))).rejects.toThrow("passwordFault does not let through");
});

test("two spellings are the same password", () => {
  expect(isSamePassword("lång väg hem", "lång väg hem".normalize("NFD"))).toBe(true);
  expect(isSamePassword("lång väg hem", "lang vag hem")).toBe(false);
});

describe("nothing fits", () => {
  test("nobody's hash", async () => {
    expect(await cheap.isRight("anything", null)).toBe(false);
    expect(await cheap.isRight("-", null)).toBe(false);
  });

  test("the hash of a password that could not be taken", async () => {
    const hash = await cheap.hash("-");
    expect(await cheap.isRight("", hash)).toBe(false);
    expect(await cheap.isRight("x".repeat(1025), hash)).toBe(false);
  });
});

test("a flood is refused with 503 instead of taking all memory", async () => {
  const hash = await cheap.hash("tractor sails violet");
  const tried = await Promise.allSettled(Array.from({ length: 100 }, () => cheap.isRight("wrong", hash)));
  const refused = tried.filter((one) => one.status === "rejected").map(({ reason }) => reason.faults[0].name);
  expect(refused).toEqual(Array(48).fill("overloaded"));
  expect(await cheap.isRight("tractor sails violet", hash)).toBe(true);
});

test("while one more would be refused, that is said before anything else is done", async () => {
  const full = createPasswords({ memoryCost: 8, timeCost: 1 });
  const hash = await full.hash("tractor sails violet");
  expect(full.requireRoom()).toBeUndefined();
  const waiting = Array.from({ length: 52 }, () => full.isRight("wrong", hash));
  expect(() => full.requireRoom()).toThrow("Too many people are signing in. Try again in a moment.");
  await Promise.all(waiting);
  expect(full.requireRoom()).toBeUndefined();
});
