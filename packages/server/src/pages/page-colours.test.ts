import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { colours } from "./page-colours";
import { mark } from "./page-head";

const consoleFolder = join(import.meta.dir, "../../../console/src");
const styles = readFileSync(join(consoleFolder, "styles/tokens.css"), "utf8");

/** Colours of the console, in the first block that begins so. */
function tokensAfter(selector: string): Record<string, string> {
  const [block = ""] = (styles.split(selector)[1] ?? "").split("}");
  return Object.fromEntries(
    [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  );
}

test("all pages have the colours of the console, by day and by night", () => {
  expect(tokensAfter(":root {")).toMatchObject(colours.light);
  expect(tokensAfter(':root[data-mantine-color-scheme="dark"] {')).toMatchObject(colours.dark);
});

test("all pages have the mark of the console", () => {
  const outlines = [...mark.matchAll(/ d="([^"]+)"/g)].map(([, outline]) => outline ?? "");
  expect(outlines).toHaveLength(1);
  for (const file of ["styles/favicon.svg", "components/icons.tsx"]) {
    const text = readFileSync(join(consoleFolder, file), "utf8");
    expect(outlines.filter((outline) => !text.includes(outline))).toEqual([]);
  }
});
