import type { Spread } from "../load/spread";
import type { Growth, RowResult } from "../result";
import { numberOf, spreadText } from "./format";
import { escapeHtml } from "./markup";
import { logScale } from "./scale";

const width = 960;
const labelWidth = 390;
const lineHeight = 34;

/** A colour of the page for each side or line. */
const colour = (index: number) => `var(--side-${index % 6})`;

/** Figures of several sides for several rows on one logarithmic axis: a dot is the median, a bar the rounds. */
export function dotChart(
  title: string,
  rows: readonly RowResult[],
  sides: readonly string[],
  of: (row: RowResult, side: string) => Spread | null | undefined,
): string {
  const shown = rows.map((row) => ({
    what: row.what,
    dots: sides.flatMap((side, index) => {
      const spread = of(row, side);
      return spread ? { side, index, spread } : [];
    }),
  }));
  const scale = logScale(
    shown.flatMap(({ dots }) => dots.flatMap(({ spread }) => [spread.min, spread.max])),
    labelWidth,
    width - 30,
  );
  const bottom = 20 + rows.length * lineHeight;
  const marks = shown.map(({ what, dots }, line) => {
    const y = 20 + (line + 0.5) * lineHeight;
    const drawn = dots.map(({ side, index, spread }) => {
      // Sides that are alike would hide each other on one line.
      const at = y + (index - (sides.length - 1) / 2) * 4;
      return `<g><title>${escapeHtml(`${side}: ${numberOf(spread.median)} (${spreadText(spread)})`)}</title>
<line x1="${scale.place(spread.min)}" x2="${scale.place(spread.max)}" y1="${at}" y2="${at}" stroke="${colour(index)}" stroke-width="2"/>
<circle cx="${scale.place(spread.median)}" cy="${at}" r="4.5" fill="${colour(index)}"/></g>`;
    });
    return `<line class="rule" x1="${labelWidth}" x2="${width - 30}" y1="${y}" y2="${y}"/>
<text x="${labelWidth - 12}" y="${y + 4}" text-anchor="end">${escapeHtml(what)}</text>${drawn.join("")}`;
  });
  const grid = scale.ticks.map(
    (tick) => `<line class="grid" x1="${scale.place(tick)}" x2="${scale.place(tick)}" y1="14" y2="${bottom}"/>
<text class="tick" x="${scale.place(tick)}" y="${bottom + 16}" text-anchor="middle">${numberOf(tick)}</text>`,
  );
  return figure(title, bottom + 26, [...grid, ...marks], sides);
}

/** How far each row is from its aim: at the line it is just held, to the right of it it is missed. */
export function aimChart(title: string, rows: readonly RowResult[]): string {
  const shown = rows.flatMap((row) => {
    const limit = Number(/[\d.]+/.exec(row.aim?.text.replaceAll(",", "") ?? "")?.[0]);
    const value = row.ratio?.median ?? row.sides.ours?.value.median ?? Number.NaN;
    const share = row.aim?.text.startsWith("at least") ? limit / value : value / limit;
    return row.aim && Number.isFinite(share) && share > 0 ? { row, share } : [];
  });
  const scale = logScale([0.1, 10, ...shown.map(({ share }) => share)], labelWidth + 30, width - 30);
  const step = 22;
  const bottom = 20 + shown.length * step;
  const aim = scale.place(1);
  const marks = shown.map(({ row, share }, line) => {
    const y = 20 + (line + 0.5) * step;
    const at = scale.place(share);
    const name = row.aim?.isHeld ? "held" : "missed";
    return `<text x="${labelWidth + 18}" y="${y + 4}" text-anchor="end">${escapeHtml(row.what)}</text>
<rect class="${name}" x="${Math.min(at, aim)}" width="${Math.max(1, Math.abs(at - aim))}" y="${y - 6}" height="12" rx="2">
<title>${escapeHtml(`${row.what}: ${name}, ${row.aim?.text}`)}</title></rect>`;
  });
  const grid = scale.ticks.map(
    (tick) =>
      `<text class="tick" x="${scale.place(tick)}" y="${bottom + 16}" text-anchor="middle">${numberOf(tick)} ×</text>`,
  );
  const line = `<line class="aim" x1="${aim}" x2="${aim}" y1="10" y2="${bottom}"/>`;
  return figure(title, bottom + 26, [...grid, ...marks, line], []);
}

/** How figures of one unit grow, on two logarithmic axes. */
export function growthChart(title: string, { sizes, axis }: Growth, lines: Growth["lines"]): string {
  const [left, right, top, bottom] = [80, width - 30, 20, 320];
  const across = logScale(sizes, left, right);
  const values = lines.flatMap(({ values }) => values.flatMap((value) => (value ? [value.min, value.max] : [])));
  const up = logScale(values, bottom, top);
  const grid = [
    ...up.ticks.map(
      (tick) => `<line class="grid" x1="${left}" x2="${right}" y1="${up.place(tick)}" y2="${up.place(tick)}"/>
<text class="tick" x="${left - 8}" y="${up.place(tick) + 4}" text-anchor="end">${numberOf(tick)}</text>`,
    ),
    ...sizes.map(
      (size) => `<line class="grid" x1="${across.place(size)}" x2="${across.place(size)}" y1="${top}" y2="${bottom}"/>
<text class="tick" x="${across.place(size)}" y="${bottom + 18}" text-anchor="middle">${size.toLocaleString("en")}</text>`,
    ),
    `<text class="tick" x="${right}" y="${bottom + 36}" text-anchor="end">${escapeHtml(axis)}</text>`,
  ];
  const drawn = lines.map(({ what, unit, values }, index) => {
    const points = values.flatMap((value, at) => {
      const x = across.place(sizes[at] ?? 1);
      return value && value.median > 0 ? { x, y: up.place(value.median), size: sizes[at] ?? 1, value } : [];
    });
    const path = points.map(({ x, y }) => `${x},${y}`).join(" ");
    const dots = points.map(
      ({ x, y, size, value }) =>
        `<circle cx="${x}" cy="${y}" r="4.5" fill="${colour(index)}"><title>${escapeHtml(
          `${what}, ${size.toLocaleString("en")}: ${numberOf(value.median)}${unit} (${spreadText(value)})`,
        )}</title></circle>`,
    );
    return `<polyline points="${path}" fill="none" stroke="${colour(index)}" stroke-width="2"/>${dots.join("")}`;
  });
  return figure(
    title,
    bottom + 46,
    [...grid, ...drawn],
    lines.map(({ what }) => what),
  );
}

function figure(title: string, height: number, marks: readonly string[], names: readonly string[]): string {
  const legend = names.map(
    (name, index) => `<li><span style="background:${colour(index)}"></span>${escapeHtml(name)}</li>`,
  );
  return `<figure><figcaption>${escapeHtml(title)}</figcaption>${legend.length > 0 ? `<ul class="legend">${legend.join("")}</ul>` : ""}
<div class="wide"><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">${marks.join("\n")}</svg></div></figure>`;
}
