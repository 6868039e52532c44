import { expect, test } from "bun:test";
import fc from "fast-check";
import { splitByRange, sumsBefore } from "./stretches";

const anyStretches = fc.array(fc.record({ gap: fc.nat(3), length: fc.integer({ min: 1, max: 5 }), count: fc.nat(9) }));
const anyRange = fc.record({ from: fc.integer({ min: -5, max: 60 }), length: fc.nat(60) });

test("a range splits a calendar into stretches that it holds whole and at most two that it cuts", () => {
  fc.assert(
    fc.property(anyStretches, anyRange, (sketches, { from, length }) => {
      let at = 0;
      const stretches = sketches.map(({ gap, length, count }) => {
        const stretch = { from: at + gap, until: at + gap + length, count };
        at = stretch.until;
        return stretch;
      });
      const calendar = stretches.reverse();
      const range = { from, until: from + length };
      const touched = calendar.filter((stretch) => stretch.from < range.until && stretch.until > range.from);
      const { newest, whole, oldest } = splitByRange(calendar, range);
      const inside = calendar.slice(whole.first, whole.end);
      expect([newest, ...inside, oldest].filter((stretch) => stretch !== undefined)).toEqual(touched);
      expect(inside).toEqual(touched.filter((stretch) => stretch.from >= range.from && stretch.until <= range.until));
      const before = sumsBefore(calendar);
      const sum = inside.reduce((total, { count }) => total + count, 0);
      expect((before[whole.end] ?? 0) - (before[whole.first] ?? 0)).toBe(sum);
    }),
  );
});
