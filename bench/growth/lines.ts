import { spreadOf } from "../load/spread";
import type { Growth } from "../result";
import { lawOf } from "./law";

/** Collects what is measured for each size, round after round. */
export function createLines(sizes: readonly number[]) {
  const noted = new Map<string, { what: string; unit: string; values: number[][] }>();
  return {
    note(size: number, what: string, unit: string, value: number): void {
      const line = noted.get(what) ?? { what, unit, values: sizes.map(() => []) };
      noted.set(what, line);
      line.values[sizes.indexOf(size)]?.push(value);
    },
    lines(): Growth["lines"] {
      return [...noted.values()].map(({ what, unit, values }) => {
        const spreads = values.map((some) => (some.length === 0 ? null : spreadOf(some)));
        const medians = spreads.map((spread) => spread?.median ?? null);
        return { what, unit, values: spreads, law: lawOf(sizes, medians) };
      });
    },
  };
}
