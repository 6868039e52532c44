import { expect, test } from "bun:test";
import { type ReadPart, readLogText } from "../src/pages/task/read-log-text";

/** A service that keeps parts of a log, each with the position at which it begins. */
function serviceWith(kept: readonly [at: number, text: string][], size: number): ReadPart {
  const answer = (from: number, limit: number) => {
    const [at, text] = kept.find(([begin, part]) => begin + part.length > from) ?? [size, ""];
    const offset = Math.max(at, from);
    const part = text.slice(offset - at, offset - at + limit);
    const dropped = offset > from ? { from, to: offset } : null;
    return { text: part, next_offset: offset + part.length, size, dropped };
  };
  return async (query) =>
    "tail" in query ? answer(Math.max(0, size - query.tail), query.tail) : answer(query.offset, query.limit);
}

test("a log with gaps is read to its end, with a line for each", async () => {
  const readPart = serviceWith(
    [
      [0, "first\n"],
      [2_006, "middle"],
      [5_000, "FATAL: the reason\n"],
    ],
    5_018,
  );
  expect(await readLogText(readPart, 0)).toEqual({
    text: "first\n[2.0 kB are missing here]\nmiddle\n[3.0 kB are missing here]\nFATAL: the reason\n",
    next: 5_018,
    size: 5_018,
    isWhole: false,
  });
});

test("what is new is read from where the last reading ended", async () => {
  const readPart = serviceWith([[0, "one\ntwo\n"]], 8);
  expect(await readLogText(readPart, 4)).toEqual({ text: "two\n", next: 8, size: 8, isWhole: true });
  expect(await readLogText(readPart, 8)).toEqual({ text: "", next: 8, size: 8, isWhole: true });
});

test("of a log that is too long, the end is read", async () => {
  const text = `${"x".repeat(5_000_000)}the end\n`;
  const read = await readLogText(serviceWith([[0, text]], text.length), 0);
  expect([read.text.endsWith("xthe end\n"), read.next, read.isWhole]).toEqual([true, text.length, false]);
  expect(read.text).toStartWith("[Only the end is shown here. Download the log to read all of it.]\n");
});
