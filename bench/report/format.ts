import type { Spread } from "../load/spread";
import type { BenchRun, RowResult, SideResult } from "../result";

/** A number with as many digits as say something. */
export function numberOf(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size > 0 && size < 0.01) return value.toLocaleString("en", { maximumSignificantDigits: 1 });
  const digits = size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A figure of a side, and in brackets the milliseconds of processor time for each request. */
export function sideText(side: SideResult | undefined, unit: string): string {
  if (!side) return "";
  return `${numberOf(side.value.median)}${unit}${side.cpu ? ` (${numberOf(side.cpu.median)})` : ""}`;
}

export function spreadText({ min, max }: Spread): string {
  return `${numberOf(min)}–${numberOf(max)}`;
}

/** What ours is of what it is compared with, from the smallest round to the largest. */
export function ratioText({ ratio }: RowResult): string {
  if (!ratio) return "";
  const of = ratio.of === "bare" ? "" : ` of ${ratio.of}`;
  return `${numberOf(ratio.median)} ${ratio.unit}${of} (${spreadText(ratio)})`;
}

export function verdict({ aim }: RowResult): string {
  if (!aim) return "";
  return aim.isHeld ? "held" : "missed";
}

/** The figure of what ours is compared with, be it bare or something else. */
export function baseOf({ sides, ratio }: RowResult): SideResult | undefined {
  return ratio ? sides[ratio.of] : undefined;
}

export function heldText({ rows }: BenchRun): string {
  const aims = rows.filter(({ aim }) => aim !== null);
  return `${aims.filter(({ aim }) => aim?.isHeld).length} of ${aims.length} aims are held.`;
}

/** What keeps the run from being read as it stands, or nothing. */
export function doubtsOf({ loadAverage, machine, options }: BenchRun): string[] {
  return [
    ...(Math.max(...loadAverage) > machine.cores
      ? ["The machine was busy with other things: its times say little, its ratios of processor time more."]
      : []),
    ...(options.quick || options.tasks < 1_000_000 || options.seconds < 1
      ? ["The run was a short one. The aims are about 1,000,000 tasks, 3 rounds and 2 s a side."]
      : []),
  ];
}

/** What the run was, in one sentence. */
export function runText({ at, machine, options, loadAverage, runtime, commit, minutes }: BenchRun): string {
  const tasks = `${options.tasks.toLocaleString("en")} tasks in ${options.database}`;
  const shape = `${options.rounds} rounds of ${options.seconds} s a side`;
  const where = `${machine.cores} cores (${machine.processor}), ${machine.memoryGiB} GiB, ${machine.system}, ${runtime}`;
  const load = `load average ${loadAverage[0]} before and ${loadAverage[1]} after`;
  return `${at.slice(0, 10)}, commit ${commit}: ${tasks}, ${shape}, ${minutes} minutes; ${where}; ${load}.`;
}
