import { expect, test } from "bun:test";
import { type ErrorName, errorCatalogue, statusOf } from "./error-catalogue";

const entries = Object.entries(errorCatalogue);
const answered = [400, 401, 403, 404, 405, 406, 408, 409, 412, 413, 414, 415, 422, 429, 431, 500, 503];

test("each code stands once", () => {
  const codes = entries.map(([, { code }]) => code);
  expect(new Set(codes).size).toBe(codes.length);
});

test.each(entries)("%s has a whole five-digit code and a sentence", (_, { code, meaning }) => {
  expect(Number.isInteger(code) && code >= 40_000 && code < 60_000).toBe(true);
  expect(meaning).toMatch(/^[A-Z].+\.$/);
});

test("codes group by the status that they are answered with", () => {
  const statuses = [...new Set(entries.map(([, { code }]) => Math.floor(code / 100)))].sort();
  expect(statuses).toEqual(answered);
});

test.each<[ErrorName, number]>([
  ["parameterUnknown", 400],
  ["tokenMissing", 401],
  ["unitForbidden", 403],
  ["pathUnknown", 404],
  ["methodNotAllowed", 405],
  ["versionNotAcceptable", 406],
  ["rateExceeded", 429],
  ["internal", 500],
  ["databaseAway", 503],
])("%s is answered with %d", (name, status) => {
  expect(statusOf(name)).toBe(status);
});
