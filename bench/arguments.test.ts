import { expect, test } from "bun:test";
import { readArguments } from "./arguments";

test("a run has a million tasks in SQLite, unless something else is asked for", () => {
  expect(readArguments([])).toMatchObject({ tasks: 1_000_000, postgres: false, keep: false, only: undefined });
  expect(readArguments(["--tasks", "5000", "--only", "units"])).toMatchObject({ tasks: 5000, only: "units" });
});

test.each([
  [["--only", "nothing"], "There is no part nothing. Choose from p95, also, peer, units, runner."],
  [["--tasks", "many"], "--tasks must be a number above 0."],
  [["--seconds", "0"], "--seconds must be a number above 0."],
])("%p is refused", (argv, message) => {
  expect(() => readArguments(argv)).toThrow(message);
});
