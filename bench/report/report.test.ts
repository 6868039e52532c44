import { expect, test } from "bun:test";
import type { BenchRun, RowResult } from "../result";
import { numberOf } from "./format";
import { reportPage } from "./html";
import { growthTable, rowTable, writtenTables } from "./table";

const spread = (median: number) => ({ median, min: median * 0.9, max: median * 1.1 });

const page: RowResult = {
  group: "lists",
  what: "page <1> & more",
  unit: "/s",
  sides: {
    ours: { value: spread(3210), cpu: spread(0.31) },
    bare: { value: spread(10_000), cpu: spread(0.1) },
    "A peer": { value: spread(45), cpu: spread(12) },
  },
  ratio: { of: "bare", unit: "%", ...spread(32.1), cpu: spread(3.1) },
  aim: { text: "at least 60 %", isHeld: false },
  notes: ["it was <late>"],
};
const memory: RowResult = {
  group: "memory",
  what: "memory",
  unit: " MiB",
  sides: { ours: { value: spread(120), cpu: null } },
  ratio: null,
  aim: { text: "at most 150 MiB", isHeld: true },
  notes: [],
};
const run: BenchRun = {
  at: "2026-11-16T08:00:00.000Z",
  commit: "abc",
  machine: { processor: "A <fast> one", cores: 2, memoryGiB: 24, system: "Linux" },
  loadAverage: [0.5, 1.5],
  runtime: "Bun",
  options: { tasks: 1_000_000, seconds: 2, rounds: 3, quick: false, database: "SQLite", processes: 1 },
  peers: [{ name: "A peer", about: "what it is" }],
  rows: [page, memory],
  growth: [
    {
      name: "Tasks",
      axis: "tasks",
      sizes: [1_000, 1_000_000],
      lines: [{ what: "page 1", unit: " ms", values: [spread(1.5), null], law: "n^0.00" }],
      notes: [],
    },
  ],
  minutes: 12,
};

test("one table has ours, bare, the peers, the ratio, the aim and whether it is held", () => {
  const { headings, lines } = rowTable(run);
  const processor = "of its processor time";
  expect(headings).toEqual(["what", "ours", "bare", "A peer", "ratio", processor, "aim", "held or missed"]);
  expect(lines).toEqual([
    [
      "page <1> & more",
      "3,210/s (0.31)",
      "10,000/s (0.10)",
      "45/s (12)",
      "32.1 % (28.9–35.3)",
      "3.10 ×",
      "at least 60 %",
      "missed",
    ],
    ["memory", "120 MiB", "", "", "", "", "at most 150 MiB", "held"],
  ]);
  expect(writtenTables(run)).toEndWith("1 of 2 aims are held.");
});

test("growth has a column for each size, and says what was not measured", () => {
  expect(growthTable(run.growth[0] ?? expect.unreachable())).toEqual({
    headings: ["tasks", "1,000", "1,000,000", "it grows"],
    lines: [["page 1", "1.50 ms", "–", "n^0.00"]],
  });
});

test("a busy machine and a short run are said", () => {
  const busy = { ...run, loadAverage: [7, 1] satisfies [number, number] };
  expect(writtenTables(busy)).toContain("The machine was busy");
  expect(writtenTables({ ...run, options: { ...run.options, tasks: 1000 } })).toContain("The run was a short one.");
  expect(writtenTables(run)).not.toContain("busy");
});

test("the page needs nothing else, and shows text as text", () => {
  const html = reportPage(run);
  expect(html.match(/<svg /g)).toHaveLength(4);
  expect(html).not.toMatch(/<script|<link|src=|url\(|https?:/);
  expect(html).toContain("page &lt;1&gt; &amp; more");
  expect(html).not.toMatch(/<1>|<fast>|<late>/);
  expect(html).not.toMatch(/NaN|Infinity|undefined/);
  expect(html).toContain("prefers-color-scheme: dark");
});

test.each([
  [12_345.6, "12,346"],
  [42.42, "42.4"],
  [1, "1"],
  [0.314, "0.31"],
  [0.001, "0.001"],
  [0, "0"],
  [Number.NaN, "–"],
])("%p is written %p", (value, text) => {
  expect(numberOf(value)).toBe(text);
});
