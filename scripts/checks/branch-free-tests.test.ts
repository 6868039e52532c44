import { expect, test } from "bun:test";
import { branchesInTests } from "./branch-free-tests";

const path = "packages/server/src/x.test.ts";

test.each([
  ["a test", 'test("a", () => {\n  if (b) expect(c).toBe(d);\n});'],
  ["a table", 'test.each([1])("a", () => {\n  if (b) expect(c).toBe(d);\n});'],
  ["a function within a test", 'describe("a", () => test("b", () => list.map(() => {\n  if (c) d();\n})));'],
])("an if in %s is found", (_, text) => {
  expect(branchesInTests([{ path, text }])).toEqual([
    `${path}:2: a test has an if. Make two tests of it, a table, or a function that the test calls.`,
  ]);
});

test.each([
  ["a function that tests call", 'function a() {\n  if (b) c();\n}\ntest("a", () => a());'],
  ["another function that begins like test", "testsOnPostgres(() => {\n  if (b) c();\n});"],
  ["a text", 'test("a", () => expect("if (b) c();").toBe(d));'],
])("an if in %s is none of a test", (_, text) => {
  expect(branchesInTests([{ path, text }])).toEqual([]);
});
