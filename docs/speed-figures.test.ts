import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { staleFigures } from "./generate-reference";
import { pagesWithFigures, withFigures } from "./generator/speed-figures";

const block = (name: string, text: string) =>
  `Before.\n<!-- Figures: ${name} SQLite. Written by \`npm run docs\` from bench/results. -->\n${text}<!-- End of figures -->\nAfter.\n`;

test("the figures of the pages are those of the runs that are kept", () => {
  expect(staleFigures(import.meta.dir)).toEqual([]);
});

test.each(pagesWithFigures)("a figure of %s that was changed by hand is found", (name) => {
  const page = readFileSync(join(import.meta.dir, name), "utf8");
  const changed = page.replace(/(<!-- Figures: [\s\S]*?\n\| [^\n]*\| )/, "$1 by hand");
  expect(changed).not.toBe(page);
  expect(withFigures(changed)).toBe(page);
});

test("what is around the figures stays, and they can be written again", () => {
  const written = withFigures(block("p95", "old\n"));
  expect(written).toStartWith("Before.\n<!-- Figures: p95 SQLite.");
  expect(written).toEndWith("<!-- End of figures -->\nAfter.\n");
  expect(written).toContain("| measured | aim |");
  expect(written).not.toContain("old");
  expect(withFigures(written)).toBe(written);
});

test("a run that is not there leaves no figures", () => {
  expect(withFigures(block("peer", "old\n"), () => undefined)).toContain("The run that is kept has none of these.");
});

test("figures that are not known are refused", () => {
  expect(() => withFigures(block("wishes", ""))).toThrow("There are no figures called wishes.");
});
