import { expect, test } from "bun:test";
import { inColumns, numberOf, rowTable, runText } from "./report";
import { type BenchRun, rowOf } from "./result";

const rows = [
  rowOf("p95", "a page of tasks", 12.345, " ms", { atMost: 40 }, "worst: the last page"),
  rowOf("also", "another page", 3, " %", { atLeast: 5 }),
  rowOf("units", "page 1, 100 units", 1.5, " ms"),
];
const run: BenchRun = {
  at: "2026-11-16T08:00:00.000Z",
  commit: "abc",
  machine: { processor: "arm64", cores: 2, memoryGiB: 24, system: "Linux" },
  loadAverage: [0.5, 2.5],
  runtime: "Bun",
  options: { tasks: 1_000_000, seconds: 100, processes: 1, database: "SQLite" },
  rows,
  minutes: 6,
};

test("a row has its value, its aim, its verdict and its detail", () => {
  expect(rowTable(rows).lines).toEqual([
    ["a page of tasks", "12.3 ms", "at most 40 ms", "held", "worst: the last page"],
    ["another page", "3 %", "at least 5 %", "missed", ""],
    ["page 1, 100 units", "1.5 ms", "", "", ""],
  ]);
  expect(inColumns(rowTable(rows.slice(2)))).toEndWith("page 1, 100 units  1.5 ms");
});

test("a run counts the aims that it holds, and says that the machine was busy", () => {
  expect(runText(run)).toEndWith("load average 0.5 before and 2.5 after. 1 of 2 aims are held.");
  expect(runText({ ...run, loadAverage: [7, 1] })).toContain("The machine was busy");
});

test.each([
  [12_345.6, "12,346"],
  [42.42, "42.4"],
  [1, "1"],
  [0.314, "0.31"],
  [0, "0"],
  [Number.NaN, "–"],
])("%p is written %p", (value, text) => {
  expect(numberOf(value)).toBe(text);
});
