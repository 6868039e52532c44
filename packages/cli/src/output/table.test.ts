import { expect, test } from "bun:test";
import { createPaint } from "../terminal/colours";
import { shortened, widthOf } from "../terminal/width";
import { type Column, formatFacts, formatTable } from "./table";

interface Row {
  name: string;
  note: string;
}

const columns: Column<Row>[] = [
  { name: "name", title: "NAME", value: ({ name }) => name, canShrink: true },
  { name: "state", title: "STATE", value: () => "good", tone: () => "good" },
  { name: "note", title: "NOTE", value: ({ note }) => note, canShrink: true, isExtra: true },
];
const rows = ["web-1", "日本語のサーバー", "👩‍👩‍👧‍👦 family", "e\u0301te\u0301", "🇩🇪 Köln", "ﾊﾝ角", "ไทยแลนด์"].map(
  (name) => ({ name, note: "x".repeat(30) }),
);
const plain = (width: number | undefined) => formatTable(columns, rows, { paint: (text) => text, width });

/** In which column of the terminal a word begins. */
const placeOf = (line: string, word: string) => widthOf(line.slice(0, line.indexOf(word)));

test("wide characters, emoji and combining marks stay in their columns", () => {
  const [head = "", ...lines] = plain(undefined);
  expect(lines.map((line) => placeOf(line, "good"))).toEqual(rows.map(() => placeOf(head, "STATE")));
});

test.each([60, 40, 24, 12])(
  "a table is never wider than a terminal of %d columns: columns are cut, then left out",
  (width) => {
    const lines = plain(width);
    expect(lines.map(widthOf).filter((one) => one > width)).toEqual([]);
    expect(lines[0]?.includes("NOTE")).toBe(width >= 40);
  },
);

test("colours change no width, and are not there with NO_COLOR, without a terminal and on a dumb one", () => {
  const terminal = { isTTY: true, columns: 60 };
  const painted = formatTable(columns, rows, { paint: createPaint(terminal, {}), width: 60 });
  expect(painted.map((line) => Bun.stripANSI(line))).toEqual(plain(60));
  expect(painted[1]).toContain("\x1b[32mgood\x1b[0m");
  for (const [stream, environment] of [
    [terminal, { NO_COLOR: "1" }],
    [{ isTTY: false }, {}],
    [terminal, { TERM: "dumb" }],
  ] as const) {
    expect(createPaint(stream, environment)("good", "good")).toBe("good");
  }
  expect(createPaint(terminal, { NO_COLOR: "" })("good", "good")).not.toBe("good");
});

test("no character is cut in two", () => {
  expect(shortened("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 5)).toBe("👩‍👩‍👧‍👦👩‍👩‍👧‍👦…");
  expect(shortened("日本語", 4)).toBe("日…");
  expect(shortened("e\u0301e\u0301e\u0301", 2)).toBe("e\u0301…");
});

test("a fact of several lines stays in its column", () => {
  const facts = [["Error", "locked\r\nby another\x1b[2J\n"] as const, ["Id", "1"] as const];
  expect(formatFacts(facts, { paint: (text) => text, width: undefined })).toEqual([
    "Error  locked",
    "       by another\\x1b[2J",
    "Id     1",
  ]);
});
