import { expect, test } from "bun:test";
import { maxLineLength, readLines } from "./read-lines";

async function linesOf(...chunks: (string | Uint8Array)[]) {
  async function* pieces() {
    for (const chunk of chunks) yield typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
  }
  return (await Array.fromAsync(readLines(pieces()))).flat();
}

test("lines are found wherever the pieces of a file are cut, within a character, too", async () => {
  const euro = new TextEncoder().encode("€");
  expect(await linesOf("a\nb", "c\n", euro.subarray(0, 1), euro.subarray(1), "\nlast")).toEqual([
    { number: 1, text: "a" },
    { number: 2, text: "bc" },
    { number: 3, text: "€" },
    { number: 4, text: "last" },
  ]);
});

test("a file that ends with a line break has no line after it, and an empty line counts", async () => {
  expect(await linesOf("a\n\n")).toEqual([
    { number: 1, text: "a" },
    { number: 2, text: "" },
  ]);
  expect(await linesOf("")).toEqual([]);
});

test("bytes that are not UTF-8 make their line bad and no other", async () => {
  expect(await linesOf("a\n", new Uint8Array([0xc3, 0x28]), "\nb\n")).toEqual([
    { number: 1, text: "a" },
    { number: 2, problem: "this is not UTF-8 text" },
    { number: 3, text: "b" },
  ]);
});

test("a line that is too long is bad, however it comes in", async () => {
  const long = "x".repeat(maxLineLength);
  const problem = "a line has to be at most 1048576 bytes long";
  expect((await linesOf(`${long}\nb`))[0]).toEqual({ number: 1, text: long });
  expect(await linesOf(`${long}x\nb`)).toEqual([
    { number: 1, problem },
    { number: 2, text: "b" },
  ]);
  expect(await linesOf(long, "x", long, "\nb")).toEqual([
    { number: 1, problem },
    { number: 2, text: "b" },
  ]);
});
