import { expect, test } from "bun:test";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import { commonPasswords } from "./common-passwords";
import { minPasswordLength, passwordFault } from "./password-rules";

const owner = { email: "maria.keller@example.org", fullName: "Maria Keller" };
const easy = "harder to guess: not a common password, and not your name or address";

test.each([
  "tractor sails violet noon",
  "gNz7#qLw82!kd",
  "zwölf Boxkämpfer jagen",
  "correct donkey battery cable",
  "🦉🌲🪵🍄🌧🌙⭐🔥💧🌊🏔🏝",
  `${"x".repeat(20)}k9#Tq`,
  `${"lång ".repeat(150)}k9#Tq`,
])("%p can be taken", (password) => {
  expect(passwordFault(password, owner)).toBeUndefined();
});

test.each(["", "short", "elevenchars", "🦉🌲🪵🍄🌧🌙"])("%p is too short", (password) => {
  expect(passwordFault(password, owner)).toBe("12 characters or more");
});

test("more than 1024 bytes are too long", () => {
  expect(passwordFault(`k9#Tq${"ö".repeat(509)}y`, owner)).toBeUndefined();
  expect(passwordFault(`k9#Tq${"ö".repeat(510)}`, owner)).toBe("at most 1024 bytes long");
});

test("T37: of a text without end the length is all that is looked at, and a heap of marks is refused", () => {
  const heap = (marks: number) => `tractor sails a${"\u0301".repeat(marks / 2)}${"\u0316".repeat(marks / 2)}`;
  expect(passwordFault(heap(500_000), owner)).toBe("at most 1024 bytes long");
  expect(passwordFault("tractor sails ".repeat(100_000), owner)).toBe("at most 1024 bytes long");
  expect(passwordFault(heap(32), owner)).toBe("free of characters with more than 30 marks");
  expect(passwordFault(heap(30), owner)).toBeUndefined();
});

test("a password of as many bytes as there may be can be typed with all marks apart", () => {
  const composed = "ΐ".repeat(512);
  expect([Buffer.byteLength(composed), composed.normalize("NFD").length]).toEqual([1024, 1536]);
  expect(passwordFault(`k9#Tq ${composed.normalize("NFD").slice(0, -9)}`, owner)).toBeUndefined();
});

test("half a character is none", () => {
  expect(passwordFault(`tractor sails violet \ud800`, owner)).toBe("whole characters");
});

test("the common passwords are long enough to need a list, and written as they are compared", () => {
  expect([...commonPasswords].filter((common) => [...common].length < minPasswordLength)).toEqual([]);
  expect([...commonPasswords].filter((common) => foldCase(common) !== common || common !== common.trim())).toEqual([]);
  expect(commonPasswords.size).toBeGreaterThan(1000);
});

test.each([
  "password1234",
  "Password1234!",
  "P@ssw0rd2026!",
  "passwordpassword",
  "QWERTYUIOP12",
  "1qaz2wsx3edc",
  "q1w2e3r4t5y6",
  "Administrator",
  "letmein12345",
  "Liverpoolfc1892",
  "iloveyouforever",
  "correcthorsebatterystaple",
  "Correct Horse Battery Staple",
  "123456789012",
  "000000000000",
  "abcdabcdabcd",
  "!!!!!!!!!!!!",
])("%p is too common", (password) => {
  expect(passwordFault(password, owner)).toBe(easy);
});

test.each(["maria.keller@example.org", "Maria.Keller@Example.org", "maria.keller", "Maria Keller", "MARIA KELLER"])(
  "%p is the owner's name or address",
  (password) => {
    expect(passwordFault(password, owner)).toBe(easy);
  },
);

test("a name is compared as it is composed", () => {
  expect(passwordFault("Zoë van den Berg".normalize("NFD"), { ...owner, fullName: "Zoë van den Berg" })).toBe(easy);
});

test.each([
  ["another person's name", "johanssonbergstrom"],
  ["a common password with more behind it", "password1234 tractor"],
  ["a few words, common ones among them", "summer dragon password liberty"],
  ["the owner's name with more behind it", "Maria Keller sails at noon"],
])("%s can be taken", (_what, password) => {
  expect(passwordFault(password, owner)).toBeUndefined();
});
