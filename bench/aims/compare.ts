import { median } from "../load/percentiles";
import type { Throughput } from "../load/throughput";
import { type Group, type Row, rowOf } from "../result";

const rounds = 3;

interface Sides {
  mine(): Promise<Throughput>;
  theirs(): Promise<Throughput>;
}

/** Compares two rates in turns: machines are shared, and both sides of a ratio are to meet the same load. */
export async function compare(
  group: Group,
  what: string,
  { atLeast, unit }: { atLeast: number; unit: " %" | " ×" },
  { mine, theirs }: Sides,
): Promise<Row> {
  const sides: { mine: number; theirs: number; ratio: number }[] = [];
  let rejected = 0;
  for (let round = 0; round <= rounds; round++) {
    const other = await theirs();
    const own = await mine();
    rejected += own.rejected;
    const ratio = ((unit === " %" ? 100 : 1) * own.perSecond) / other.perSecond;
    // Code is compiled in the first round.
    if (round > 0) sides.push({ mine: own.perSecond, theirs: other.perSecond, ratio });
  }
  const middle = (of: "mine" | "theirs" | "ratio") => median(sides.map((side) => side[of]));
  const rate = (perSecond: number) => `${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s`;
  const detail = `${rate(middle("mine"))} and ${rate(middle("theirs"))}`;
  return rowOf(group, what, middle("ratio"), unit, { atLeast, rejected }, detail);
}
