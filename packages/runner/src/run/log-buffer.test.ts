import { expect, test } from "bun:test";
import fc from "fast-check";
import { createMasker } from "../secrets";
import { createLogBuffer, type LogPiece, logBufferBytes } from "./log-buffer";

const secret = "hunter2-long-secret";
const unmasked = () => ({ push: (text: string) => text, end: () => "" });

/** The text of pieces, with a mark where bytes are missing. Checks that each begins where it says. */
function textOf(pieces: readonly LogPiece[], begin = 0): string {
  let at = begin;
  let text = "";
  for (const piece of pieces) {
    expect(piece.offset > at).toBe(piece.gap === true);
    text += (piece.gap ? "~" : "") + piece.text;
    at = piece.offset + Buffer.byteLength(piece.text);
  }
  return text;
}

test("a log that comes slowly is reported whole", () => {
  const log = createLogBuffer(unmasked, { head: 4, tail: 8 });
  const pieces: LogPiece[] = [];
  for (const text of ["one\n", "two\n", "three\n", "four\n"]) {
    log.add("stdout", text);
    pieces.push(...log.take());
  }
  expect(pieces).toEqual([
    { offset: 0, text: "one\n" },
    { offset: 4, text: "two\n" },
    { offset: 8, text: "three\n" },
    { offset: 14, text: "four\n" },
  ]);
});

test("of a flood the beginning and the end are reported, and the gap between them", () => {
  const log = createLogBuffer(unmasked);
  for (let line = 0; line < 400_000; line++) log.add(line % 7 === 0 ? "stderr" : "stdout", `line ${line} ü\n`);
  log.add("stderr", "FATAL: the reason\n");
  const pieces = log.take();
  const [head = "", tail = ""] = textOf(pieces).split("~");
  expect([head.startsWith("line 0 ü\nline 1 ü\n"), tail.endsWith("line 399999 ü\nFATAL: the reason\n")]).toEqual([
    true,
    true,
  ]);
  expect(Buffer.byteLength(head)).toBeWithin(logBufferBytes.head, logBufferBytes.head + 65_536);
  expect(Buffer.byteLength(tail)).toBeWithin(logBufferBytes.tail, logBufferBytes.tail + 65_536);
  const written = Array.from({ length: 400_000 }, (_, line) => `line ${line} ü\n`).join("");
  const end = pieces.at(-1);
  expect((end?.offset ?? 0) + Buffer.byteLength(end?.text ?? "")).toBe(Buffer.byteLength(written) + 18);
});

test("a gap is as long as what is missing, also if a masker holds back text before it or at its end", () => {
  const burst = fc.record({
    text: fc.array(fc.constantFrom("hun", "hu", "h", "x"), { minLength: 1, maxLength: 12 }),
    isReported: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(burst, { maxLength: 12 }), (bursts) => {
      const log = createLogBuffer(() => createMasker([secret]), { head: 16, tail: 64 });
      const pieces: LogPiece[] = [];
      let written = "";
      for (const { text, isReported } of bursts) {
        // Long enough not to be joined with the next one, so that it can be left out by itself.
        const output = "x".repeat(16_384) + text.join("");
        log.add("stdout", output);
        written += output;
        pieces.push(...(isReported ? log.take() : []));
      }
      log.end("stdout");
      pieces.push(...log.take());
      for (const { offset, text } of pieces) expect(written.slice(offset, offset + text.length)).toBe(text);
      const end = pieces.at(-1);
      expect((end?.offset ?? 0) + (end?.text.length ?? 0)).toBe(written.length);
    }),
  );
});

test("random bursts of two streams, reported at random moments, keep beginning and end and say every gap", () => {
  const burst = fc.record({
    stream: fc.constantFrom("stdout" as const, "stderr" as const),
    text: fc.array(fc.constantFrom("a", "\n", "ü", "€", "\u{1f600}"), { minLength: 1, maxLength: 20 }),
    // Seldom, so that most logs have to be cut.
    isReported: fc.nat(9).map((number) => number === 0),
  });
  let cutLogs = 0;
  fc.assert(
    fc.property(fc.array(burst, { maxLength: 60, size: "max" }), (bursts) => {
      const log = createLogBuffer(unmasked, { head: 16, tail: 64 });
      const pieces: LogPiece[] = [];
      let written = "";
      for (const { stream, text, isReported } of bursts) {
        log.add(stream, text.join(""));
        written += text.join("");
        pieces.push(...(isReported ? log.take() : []));
      }
      pieces.push(...log.take());
      const parts = textOf(pieces).split("~");
      const bytes = Buffer.from(written);
      const [first, last] = [Buffer.from(parts[0] ?? ""), Buffer.from(parts.at(-1) ?? "")];
      expect(first.length).toBeGreaterThanOrEqual(Math.min(16, bytes.length));
      expect(last.length).toBeGreaterThanOrEqual(Math.min(64, bytes.length));
      for (const { offset, text } of pieces) {
        const length = Buffer.byteLength(text);
        expect(bytes.toString("utf8", offset, offset + length)).toBe(text);
      }
      expect(bytes.subarray(bytes.length - last.length).equals(last)).toBe(true);
      cutLogs += parts.length > 1 ? 1 : 0;
    }),
    { numRuns: 300 },
  );
  expect(cutLogs).toBeGreaterThan(100);
});

/** Reports texts of which the middle one is left out. */
function masked(texts: readonly [string, string, string]): string {
  const log = createLogBuffer(() => createMasker([secret]), { head: 1, tail: 40 });
  for (const text of texts) log.add("stdout", text);
  log.end("stdout");
  return log
    .take()
    .map(({ text, gap }) => (gap ? "~" : "") + text)
    .join("");
}

test("T35: wherever the log is cut, no part of a secret stands at the edge", () => {
  const filling = "x".repeat(20_000);
  const last = `last ${"z".repeat(40)}`;
  for (let cut = 1; cut < secret.length; cut++) {
    const [before, after] = [secret.slice(0, cut), secret.slice(cut)];
    expect(masked([`first ${before}`, `${after}${filling}${before}`, `${after} ${last}`])).toBe(`first ~*** ${last}`);
  }
});

test("T35: what may be the beginning of a secret waits until the stream has ended", () => {
  const log = createLogBuffer(() => createMasker([secret]));
  log.add("stdout", `said ${secret.slice(0, 8)}`);
  expect(textOf(log.take())).toBe("said ");
  log.add("stdout", `${secret.slice(8)}, and ${secret.slice(0, 4)}`);
  expect(textOf(log.take(), 5)).toBe("***, and ");
  log.end("stdout");
  expect(textOf(log.take(), 14)).toBe(secret.slice(0, 4));
});

test("text that the service would refuse is replaced", () => {
  const log = createLogBuffer(unmasked);
  log.add("stdout", "a\0b\ud800c");
  expect(log.take()).toEqual([{ offset: 0, text: "a\u2400b\ufffdc" }]);
});
