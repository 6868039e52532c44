import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const repository = join(import.meta.dir, "../..");

/** A fenced block of a page. */
export interface Sample {
  page: string;
  /** Where it begins. */
  line: number;
  /** Language after the fence: `sh`, `json`; empty where nothing does. */
  language: string;
  text: string;
  /** True if it follows the sample before it at once, as the answer to a command does. */
  isNear: boolean;
  /** The file that it is, where the page names one: in the line above, or in its first line. */
  file: string | undefined;
  /** Why it cannot be run or checked, as the comment above it says: `<!-- not run: … -->`, or `<!-- not compared: … -->`. */
  notRun: string | undefined;
}

/** README.md and all pages below docs, in the order of their names. */
export function pages(): string[] {
  const below = readdirSync(join(repository, "docs"), { recursive: true, encoding: "utf8" });
  return ["README.md", ...below.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)].sort();
}

/** The samples of a page, in their order. */
export function samplesOf(page: string): Sample[] {
  return readSamples(page, readPage(page));
}

export function readPage(page: string): string {
  return readFileSync(join(repository, page), "utf8");
}

export function readSamples(page: string, text: string): Sample[] {
  let end = Number.NEGATIVE_INFINITY;
  return [...text.matchAll(/^( *)```(\S*)\n([\s\S]*?)^\1```$/gm)].map((match) => {
    const { index, 0: whole, 1: indent = "", 2: language = "", 3: body = "" } = match;
    const before = text.slice(0, index);
    const isNear = !/\S/.test(text.slice(end, index).replace(/<!--.*?-->/gs, ""));
    end = index + whole.length;
    return {
      page,
      line: before.split("\n").length,
      language,
      text: body.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
      isNear,
      file: /`(\/[^`]+)`:\s*$/.exec(before)?.[1] ?? /^\/\/ (\w+\.ts)\n/.exec(body)?.[1],
      notRun: /<!-- not (?:run|compared): ([^>]*?) -->\s*$/.exec(before)?.[1],
    };
  });
}

/** Where a sample is, as an editor opens it. */
export function placeOf({ page, line }: Sample): string {
  return `${page}:${line}`;
}
