import { expect, test } from "bun:test";
import { parts, readArguments } from "./arguments";

const wantedBy = (...argv: string[]) => parts.filter(readArguments(argv).isWanted);

test("a run has all parts, a quick one leaves out what takes long", () => {
  expect(wantedBy()).toEqual([...parts]);
  expect(wantedBy("--quick")).toEqual(parts.filter((part) => part !== "streams"));
  expect(wantedBy("--quick", "--only", "streams,lists")).toEqual(["lists", "streams"]);
});

test("a quick run is smaller, unless it is said how large it is", () => {
  expect(readArguments([])).toMatchObject({ tasks: 1_000_000, seconds: 2, rounds: 3, most: 10_000_000, peers: true });
  expect(readArguments(["--quick", "--tasks", "5000"])).toMatchObject({ tasks: 5000, seconds: 0.2, rounds: 2 });
});

test.each([
  [["--only", "nothing"], "There is no part nothing. Choose from runner, lists"],
  [["--tasks", "many"], "--tasks has to be a number above 0."],
  [["--rounds", "0"], "--rounds has to be a number above 0."],
])("%p is refused", (argv, message) => {
  expect(() => readArguments(argv)).toThrow(message);
});
