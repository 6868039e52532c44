import { expect, mock, test } from "bun:test";
import { measureRow, type Sample } from "./row";

/** A side that gives one sample after the other, and notes that it was asked. */
function side(name: string, asked: string[], samples: readonly Sample[]) {
  let round = 0;
  return async () => {
    asked.push(name);
    return samples[round++] ?? { value: Number.NaN };
  };
}

const row = { group: "lists", what: "a page", unit: "/s" };

test("sides take turns after a round that does not count, and the ratio is the median of those of the rounds", async () => {
  const asked: string[] = [];
  const bare = [{ value: 1 }, { value: 100 }, { value: 1000 }, { value: 10 }];
  const ours = [{ value: 7 }, { value: 50 }, { value: 600 }, { value: 9 }];
  const result = await measureRow(
    {
      ...row,
      sides: { bare: side("bare", asked, bare), ours: side("ours", asked, ours) },
      compare: { with: "bare", unit: "%" },
      aim: { atLeast: 60 },
    },
    3,
  );
  expect(asked).toEqual(["bare", "ours", "bare", "ours", "bare", "ours", "bare", "ours"]);
  expect(result.ratio).toMatchObject({ of: "bare", median: 60, min: 50, max: 90, cpu: null });
  expect(result.sides.ours?.value).toEqual({ median: 50, min: 9, max: 600 });
  expect(result.aim).toEqual({ text: "at least 60 %", isHeld: true });
});

test("processor time has a ratio of its own", async () => {
  const bare = side("bare", [], [{ value: 1 }, { value: 1, cpu: 0.5 }]);
  const ours = side("ours", [], [{ value: 1 }, { value: 1, cpu: 2 }]);
  const result = await measureRow({ ...row, sides: { bare, ours }, compare: { with: "bare", unit: "×" } }, 1);
  expect(result.ratio?.cpu).toEqual({ median: 4, min: 4, max: 4 });
  expect(result.sides.ours?.cpu).toEqual({ median: 2, min: 2, max: 2 });
});

test("a peer that fails leaves its cell empty and says why", async () => {
  const ours = side("ours", [], [{ value: 1 }, { value: 2 }]);
  const peer = () => Promise.reject(new Error("out of memory"));
  const result = await measureRow({ ...row, sides: { ours, peer } }, 2);
  expect(Object.keys(result.sides)).toEqual(["ours"]);
  expect(result.notes).toEqual(["peer: Error: out of memory"]);
});

test("ours must not fail", async () => {
  const ours = () => Promise.reject(new Error("out of memory"));
  await expect(measureRow({ ...row, sides: { ours } }, 1)).rejects.toThrow("out of memory");
});

test("ours must not fail once, in the round that does not count either", async () => {
  const ours = mock(async () => ({ value: 1 })).mockRejectedValueOnce(new Error("refused with 503"));
  const bare = async () => ({ value: 1 });
  const compared = { ...row, sides: { bare, ours }, compare: { with: "bare", unit: "%" } } as const;
  await expect(measureRow(compared, 1)).rejects.toThrow("refused with 503");
});

test.each([
  [{ atMost: 500 }, 501, "at most 500 ms", false],
  [{ atMost: 500 }, 500, "at most 500 ms", true],
  [{ atLeast: 1000 }, 999, "at least 1,000 ms", false],
  [{ atMost: 0 }, 0, "none", true],
  [{ atMost: 0 }, 1, "none", false],
])("an aim %p of %p is judged by the figure where there is no ratio", async (aim, value, text, isHeld) => {
  const result = await measureRow({ ...row, unit: " ms", sides: { ours: async () => ({ value }) }, aim }, 1);
  expect(result.aim).toEqual({ text, isHeld });
});
