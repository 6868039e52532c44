import { expect } from "bun:test";
import fc from "fast-check";
import type { RecognisedCommand } from "../src/engines/recognise";
import { type Cuts, type ReadBack, type Recording, readBack } from "./run-engine";

const tries = Number(process.env.HOLDFAST_TEST_LONG === "1" ? 400 : 25);

/** Lengths of pieces that come again after the last one. */
const lengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 3000 })), {
  minLength: 1,
  maxLength: 40,
});

function cutsOf(all: readonly number[]): Cuts {
  let turn = 0;
  return () => all[turn++ % all.length] ?? 1;
}

/** Wherever the output is cut, the reader makes the same of it. Gives what that is. */
export function expectSameForAllCuts(
  command: RecognisedCommand,
  recording: Recording,
  hasAdditions: boolean,
): ReadBack {
  // In short pieces, so that no progress is overtaken by the next one.
  const whole = readBack(command, recording, hasAdditions, () => 20);
  fc.assert(
    fc.property(lengths, (all) => {
      const { stdout, stderr, log } = readBack(command, recording, hasAdditions, cutsOf(all));
      expect(stdout).toBe(whole.stdout);
      expect(stderr).toBe(whole.stderr);
      expect(log).toBe(whole.log);
    }),
    { numRuns: tries },
  );
  return whole;
}
