import type { BenchRun, Growth, RowResult } from "../result";
import { aimChart, dotChart, growthChart } from "./charts";
import { doubtsOf, heldText, runText } from "./format";
import { escapeHtml, tableMarkup } from "./markup";
import { style } from "./style";
import { growthTable, rowTable } from "./table";

/** The whole run as one page that needs nothing else. */
export function reportPage(run: BenchRun): string {
  const parts = [
    `<h1>Holdfast: speed</h1><p class="soft">${escapeHtml(runText(run))}</p><p><strong>${heldText(run)}</strong> ${escapeHtml(doubtsOf(run).join(" "))}</p>`,
    sideBySide(run),
    aims(run),
    everything(run),
    ...run.growth.map(growthSection),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Holdfast: speed</title><style>${style}</style></head><body>
${parts.join("\n")}
</body></html>
`;
}

/** Ours, bare and the peers in one chart each for requests and for processor time. */
function sideBySide({ rows, peers }: BenchRun): string {
  const sides = ["ours", "bare", ...peers.map(({ name }) => name)];
  const shown = rows.filter((row) => row.group === "lists" || Object.keys(row.sides).length > 2);
  if (shown.length === 0) return "";
  const side = (row: RowResult, name: string) =>
    name === "bare" ? row.sides[row.ratio?.of ?? "bare"] : row.sides[name];
  const about = peers.map((peer) => `<li><strong>${escapeHtml(peer.name)}</strong>: ${escapeHtml(peer.about)}</li>`);
  return `<h2>Side by side</h2>
${dotChart("Requests answered in a second (further right is better)", shown, sides, (row, name) => side(row, name)?.value)}
${dotChart("Milliseconds of processor time for a request (further left is better)", shown, sides, (row, name) => side(row, name)?.cpu)}
<ul><li><strong>bare</strong>: the same runtime serving the same bytes with nothing behind them; for writes, raw commits of one row
each by the database alone.</li>${about.join("")}</ul>`;
}

function aims({ rows }: BenchRun): string {
  const shown = rows.filter(({ aim }) => aim !== null);
  return shown.length === 0
    ? ""
    : `<h2>Aims</h2>${aimChart("Share of what the aim allows (left of the line is held)", shown)}`;
}

function everything(run: BenchRun): string {
  const notes = run.rows.flatMap((row) => row.notes.map((note) => `<li>${escapeHtml(`${row.what}: ${note}`)}</li>`));
  return `<h2>All rows</h2>
<p class="soft">In brackets behind a figure: milliseconds of processor time for each request. Under "bare" is what the ratio is of.
In brackets behind a ratio: the smallest and the largest round.</p>
${tableMarkup(rowTable(run))}${notes.length > 0 ? `<ul class="soft">${notes.join("")}</ul>` : ""}`;
}

/** A chart for each unit, because one axis has one. */
function growthSection(growth: Growth): string {
  const units = new Map<string, Growth["lines"]>();
  for (const line of growth.lines) units.set(line.unit, [...(units.get(line.unit) ?? []), line]);
  const charts = [...units].flatMap(([unit, lines]) => {
    const isEmpty = !lines.some(({ values }) => values.some((value) => value !== null && value.median > 0));
    return isEmpty ? [] : growthChart(`${growth.name}${unit === "" ? "" : `, ${unit.trim()}`}`, growth, lines);
  });
  const notes = growth.notes.map((note) => `<p class="soft">${escapeHtml(note)}</p>`);
  return `<h2>Growth: ${escapeHtml(growth.name.toLowerCase())}</h2>${notes.join("")}${charts.join("")}${tableMarkup(growthTable(growth))}`;
}
