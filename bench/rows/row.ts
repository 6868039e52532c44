import { type Spread, spreadOf } from "../load/spread";
import type { RowResult, SideResult } from "../result";

/** What one side gave in one round. */
export interface Sample {
  value: number;
  cpu?: number;
}

export interface Aim {
  /** Of the ratio, unless the row has none. */
  atLeast?: number;
  atMost?: number;
}

/** A line of the table, and how each of its sides is measured. */
export interface Row {
  group: string;
  what: string;
  unit: string;
  /** In the order in which they are measured in each round. */
  sides: Record<string, () => Promise<Sample>>;
  /** The side that ours is compared with, and how the ratio is written. */
  compare?: { with: string; unit: "%" | "×" };
  aim?: Aim;
  notes?: string[];
  /** A figure that was measured before: one round is all. */
  isOnce?: boolean;
}

export type Tell = (line: string) => void;

/**
 * Measures the sides of a row one after the other, round by round. Where they are compared, all of them have a round before that
 * does not count: code is compiled while it runs first, and a service runs for months.
 */
export async function measureRow(row: Row, rounds: number): Promise<RowResult> {
  const mayFail = (name: string) => name !== "ours" && name !== row.compare?.with;
  if (row.compare) {
    for (const [name, measure] of Object.entries(row.sides))
      await measure().catch(mayFail(name) ? () => {} : undefined);
  }
  const samples = new Map<string, Sample[]>(Object.keys(row.sides).map((name) => [name, []]));
  const notes = [...(row.notes ?? [])];
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of Object.entries(row.sides)) {
      try {
        samples.get(name)?.push(await measure());
      } catch (error) {
        // A peer that fails leaves its cell empty; what the row is about must not fail.
        if (!mayFail(name)) throw error;
        notes.push(`${name}: ${String(error).slice(0, 200)}`);
        samples.delete(name);
      }
    }
  }
  const sides: Record<string, SideResult> = {};
  for (const [name, some] of samples)
    sides[name] = { value: spreadOf(some.map(({ value }) => value)), cpu: cpuOf(some) };
  const ratio = ratioOf(row, samples);
  return {
    group: row.group,
    what: row.what,
    unit: row.unit,
    sides,
    ratio,
    aim: row.aim ? judge(row.aim, ratio ?? sides.ours?.value, ratio ? ` ${ratio.unit}` : row.unit) : null,
    notes: [...new Set(notes)],
  };
}

function cpuOf(samples: readonly Sample[]): Spread | null {
  // Less than nothing was used where a process has ended meanwhile, and took its time with it.
  const used = samples.flatMap(({ cpu }) => (cpu === undefined || cpu < 0 ? [] : cpu));
  return used.length === 0 ? null : spreadOf(used);
}

function ratioOf({ compare }: Row, samples: Map<string, Sample[]>): RowResult["ratio"] {
  if (!compare) return null;
  const ours = samples.get("ours") ?? [];
  const others = samples.get(compare.with) ?? [];
  const scale = compare.unit === "%" ? 100 : 1;
  const cpu = ours.flatMap((one, round) => {
    const other = others[round]?.cpu;
    return one.cpu === undefined || !other ? [] : one.cpu / other;
  });
  return {
    of: compare.with,
    unit: compare.unit,
    ...spreadOf(ours.map((one, round) => (scale * one.value) / (others[round]?.value ?? Number.NaN))),
    cpu: cpu.length === 0 ? null : spreadOf(cpu),
  };
}

function judge({ atLeast, atMost }: Aim, spread: Spread | undefined, unit: string): RowResult["aim"] {
  const median = spread?.median ?? Number.NaN;
  const number = (value: number) => `${value.toLocaleString("en")}${unit}`;
  if (atLeast !== undefined) return { text: `at least ${number(atLeast)}`, isHeld: median >= atLeast };
  if (atMost === 0) return { text: "none", isHeld: median === 0 };
  return { text: `at most ${number(atMost ?? 0)}`, isHeld: median <= (atMost ?? 0) };
}
