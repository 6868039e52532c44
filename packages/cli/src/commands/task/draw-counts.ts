import type { TaskCount } from "@holdfast/client";
import { outcomeTones, wordOf } from "../../output/outcome-marks";
import { stdoutStyle } from "../../output/print-items";
import { writeLine } from "../../output/write";
import type { Tone } from "../../terminal/colours";
import { visible } from "../../terminal/visible";
import { padded, widthOf } from "../../terminal/width";
import { type Group, orderOf } from "./count-groups";

/** One letter, or pattern, per part of a bar, so that the parts differ without colours, too. */
const patterns = ["█", "▓", "▒", "░", "#", "+", "=", "·"];
const notEnded = "not ended";
const widest = 60;

/** Draws a small chart: one line per stretch of time, with a bar whose parts are the groups. */
export async function drawCounts(counts: readonly TaskCount[], group: Group, by: string): Promise<void> {
  const { paint, width = 80 } = stdoutStyle();
  const nameIn = (count: TaskCount) => count[group] ?? (group === "outcome" ? notEnded : "-");
  const values = orderOf(group, [...new Set(counts.map(nameIn))]);
  const lines = [...Map.groupBy(counts, ({ start_timestamp }) => start_timestamp)].reverse();
  const totals = lines.map(([, parts]) => parts.reduce((sum, { count }) => sum + count, 0));
  const max = Math.max(1, ...totals);
  const digits = String(max).length;
  const labels = lines.map(([start]) => labelOf(start, by));
  const labelWidth = Math.max(0, ...labels.map(widthOf));
  const room = Math.max(10, Math.min(widest, width - labelWidth - digits - 4));
  const toneAt = (value: string): Tone | undefined => toneOf(group, value);
  for (const [index, [, parts]] of lines.entries()) {
    const sizes = lengthsOf(
      values.map((value) => sumWhere(parts, nameIn, value)),
      max,
      room,
    );
    const drawn = values.map((value, at) => paint(patternAt(at).repeat(sizes[at] ?? 0), toneAt(value))).join("");
    const total = String(totals[index] ?? 0).padStart(digits);
    await writeLine(`${padded(labels[index] ?? "", labelWidth)}  ${total}  ${drawn}`);
  }
  if (lines.length === 0) return writeLine("No tasks.");
  const legend = values.map(
    (value, at) =>
      `${paint(patternAt(at), toneAt(value))} ${visible(group === "outcome" ? wordOf(value) : value)} ${sumWhere(counts, nameIn, value)}`,
  );
  await writeLine(`\n${legend.join("   ")}`);
}

function sumWhere(counts: readonly TaskCount[], nameIn: (count: TaskCount) => string, value: string): number {
  return counts.filter((count) => nameIn(count) === value).reduce((sum, { count }) => sum + count, 0);
}

/** Length of each part. A part that is not empty is visible: the longest part gives way. */
function lengthsOf(sums: readonly number[], max: number, room: number): number[] {
  const lengths = sums.map((sum) => (sum === 0 ? 0 : Math.max(1, Math.round((sum / max) * room))));
  let over = lengths.reduce((all, one) => all + one, 0) - room;
  while (over > 0) {
    const longest = lengths.indexOf(Math.max(...lengths));
    lengths[longest] = (lengths[longest] ?? 1) - 1;
    over -= 1;
  }
  return lengths;
}

function patternAt(index: number): string {
  return patterns[index % patterns.length] ?? "█";
}

function toneOf(group: Group, value: string): Tone | undefined {
  if (group !== "outcome") return undefined;
  const tones: Record<string, Tone> = outcomeTones;
  return Object.hasOwn(tones, value) ? tones[value] : "active";
}

function labelOf(start: string, by: string): string {
  if (by === "hour") return start.slice(0, 16).replace("T", " ");
  return by === "month" ? start.slice(0, 7) : start.slice(0, 10);
}
