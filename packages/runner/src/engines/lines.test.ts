import { expect, spyOn, test } from "bun:test";
import { engines } from ".";
import { engineNames } from "./engine-names";
import { createLineReader, maxHeldBytes } from "./lines";

const megabyte = 1_048_576;

test("a line of 100 MB is passed on in pieces and not kept, whichever engine reads it", () => {
  for (const name of engineNames) {
    const engine = engines[name];
    const invocation = { program: engine.programs[0] ?? "x", args: [], environment: {}, host: "h1", folder: "/here" };
    const reader = engine.createReader({ invocation, hasAdditions: true });
    for (const stream of [reader.stdout, reader.stderr]) {
      const piece = new Uint8Array(megabyte).fill(120);
      let [passed, max] = [0, 0];
      // A beginning like one of our lines is held back at first.
      for (let count = 0; count < 100; count++) {
        piece[0] = count === 0 ? 123 : 120;
        const { passthrough, log } = stream.read(piece);
        passed += passthrough.length;
        max = Math.max(max, passthrough.length, log.length);
      }
      passed += stream.end().passthrough.length;
      expect([name, passed]).toEqual([name, 100 * megabyte]);
      expect(max).toBeLessThan(2 * megabyte);
    }
    expect(reader.diagnostics.lastErrorLine()?.length ?? 0).toBeLessThanOrEqual(2000);
  }
});

test("a line that is not held passes at once, also without its end", () => {
  const reader = createLineReader({
    isHeld: (first) => first === 123,
    turn: () => ({ passthrough: "" }),
    notice: () => undefined,
  });
  const read = (text: string) => new TextDecoder().decode(reader.read(new TextEncoder().encode(text)).passthrough);
  expect([read("Enter passphrase: "), read("\n{"), read('"a":1}'), read("\nrest")]).toEqual([
    "Enter passphrase: ",
    "\n",
    "",
    "rest",
  ]);
});

test("a held line that grows too long is given back whole", () => {
  const reader = createLineReader({
    isHeld: () => true,
    turn: () => ({ passthrough: "turned" }),
    notice: () => undefined,
  });
  const long = new Uint8Array(maxHeldBytes + 1).fill(65);
  expect(reader.read(long).passthrough.length).toBe(long.length);
  expect(reader.read(new Uint8Array([10])).passthrough.length).toBe(1);
  expect(new TextDecoder().decode(reader.read(new Uint8Array([66, 10])).passthrough)).toBe("turned");
});

test("the log is text: invalid bytes and NUL are replaced, characters that are cut in two are whole", () => {
  const reader = createLineReader({ isHeld: () => false, turn: () => ({}), notice: () => undefined });
  const pieces = [[0xc3], [0xbc, 0x00], [0xff, 0x0a], [0xe2, 0x82]];
  const logs = pieces.map((piece) => reader.read(new Uint8Array(piece)).log);
  expect([...logs, reader.end().log].join("")).toBe("ü\u2400\ufffd\n\ufffd");
});

test("many short lines are read together, not one by one, whichever engine reads them", () => {
  using decode = spyOn(TextDecoder.prototype, "decode");
  const lines = new TextEncoder().encode("y\n".repeat(10_000));
  for (const name of engineNames) {
    const engine = engines[name];
    const invocation = { program: engine.programs[0] ?? "x", args: [], environment: {}, host: "h1", folder: "/" };
    const reader = engine.createReader({ invocation, hasAdditions: true });
    for (const stream of ["stdout", "stderr"] as const) {
      decode.mockClear();
      const { passthrough, log } = reader[stream].read(lines);
      expect([name, stream, passthrough.length, log.length]).toEqual([name, stream, lines.length, lines.length]);
      expect([name, stream, decode.mock.calls.length]).toEqual([name, stream, Math.min(2, decode.mock.calls.length)]);
    }
  }
});

test("lines are noticed whole and once, wherever they are cut", () => {
  const text = '\nfirst\n{"held":1}\nsecond, grün\n\n{"held":2}\nlast';
  const bytes = new TextEncoder().encode(text);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const diagnostics: string[] = [];
    const reader = createLineReader({
      isHeld: (first) => first === 123,
      turn(line) {
        diagnostics.push(line);
        return { passthrough: "", log: "held\n" };
      },
      notice(line) {
        diagnostics.push(line);
        return undefined;
      },
    });
    const readings = [reader.read(bytes.subarray(0, cut)), reader.read(bytes.subarray(cut)), reader.end()];
    const passed = readings.map(({ passthrough }) => new TextDecoder().decode(passthrough));
    expect(diagnostics).toEqual(["\n", "first\n", '{"held":1}\n', "second, grün\n", "\n", '{"held":2}\n', "last"]);
    expect(readings.map(({ log }) => log).join("")).toBe("\nfirst\nheld\nsecond, grün\n\nheld\nlast");
    expect(passed.join("").replaceAll("\ufffd", "")).toStartWith("\nfirst\nsecond, gr");
  }
});
