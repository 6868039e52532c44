import { expect, test } from "bun:test";
import { createSilentStream } from "../engines/plain-reader";
import { createMasker } from "../secrets";
import { startRelay } from "./relay";

const secret = "hunter2-long-secret";

/** Relays pieces of a text, of which a budget keeps some in the log. */
async function relayed(pieces: readonly [text: string, isKept: boolean][]) {
  const passed: string[] = [];
  let log = "";
  let skipped = 0;
  const kept = pieces.map(([, isKept]) => isKept);
  async function* bytes() {
    for (const [text] of pieces) yield new TextEncoder().encode(text);
  }
  const relay = startRelay(
    { bytes: bytes(), hasMore: () => false },
    {
      reader: createSilentStream(),
      async passOn(bytes) {
        passed.push(new TextDecoder().decode(bytes));
        return true;
      },
      createMasker: () => createMasker([secret]),
      log: {
        budget: { takes: () => kept.shift() ?? true },
        add: (text) => {
          log += text;
        },
        skip: (bytes) => {
          skipped += bytes;
        },
      },
      onProgress: () => {},
      onOutput: () => {},
    },
  );
  await relay.ended;
  return { passed: passed.join(""), log, skipped };
}

test("everything is passed on, and masked only in the log", async () => {
  expect(
    await relayed([
      [`a ${secret.slice(0, 5)}`, true],
      [`${secret.slice(5)} b`, true],
    ]),
  ).toEqual({
    passed: `a ${secret} b`,
    log: "a *** b",
    skipped: 0,
  });
});

test("T35: wherever the log is cut, no part of a secret stands at the edge", async () => {
  for (let cut = 1; cut < secret.length; cut++) {
    const [before, after] = [secret.slice(0, cut), secret.slice(cut)];
    const { passed, log } = await relayed([
      [`first ${before}`, true],
      [`${after} left out ${before}`, false],
      [`${after} last`, true],
    ]);
    expect(passed).toBe(`first ${secret} left out ${secret} last`);
    expect(log).toBe("first *** last");
  }
});

test("T35: the end of a stream does not show what was left out", async () => {
  const { log } = await relayed([
    ["first ", true],
    [`${secret.slice(0, 8)}`, false],
  ]);
  expect(log).toBe("first ");
});
