/** The way from a whole JSON text to a value in it: the keys of objects and the indexes of lists. */
export type JsonPath = readonly (string | number)[];

/** Facts about a JSON text that JSON.parse does not report. */
export interface JsonInspection {
  depth: number;
  /** Number of elements and fields in all lists and objects together. */
  values: number;
  /** Where the first key stands that its object has twice; the key itself comes last. */
  duplicatePath: JsonPath | undefined;
}

/** Limits beyond which a text is not inspected further. */
interface JsonLimits {
  depth: number;
  values: number;
}

const noLimits: JsonLimits = { depth: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };

/** A list or an object that has not ended yet, and how far it has come. */
type Open = { keys?: undefined; at: number } | { keys: Set<string>; at: string };

const codes = {
  quote: 0x22,
  comma: 0x2c,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;

/** Looks through a JSON text once, without building anything, so that it is safe to use before it is parsed. */
export function inspectJson(text: string, limits = noLimits): JsonInspection {
  const open: Open[] = [];
  let depth = 0;
  let values = 0;
  let duplicatePath: JsonPath | undefined;
  for (let at = 0; at < text.length && depth <= limits.depth && values <= limits.values; at++) {
    // By its code: taking a character out of a text makes a new one each time.
    const code = text.charCodeAt(at);
    if (code === codes.openBrace || code === codes.openBracket) {
      open.push(code === codes.openBrace ? { keys: new Set(), at: "" } : { at: 0 });
      depth = Math.max(depth, open.length);
      values++;
    } else if (code === codes.comma) {
      values++;
      const inner = open.at(-1);
      if (inner && !inner.keys) inner.at++;
    } else if (code === codes.closeBrace || code === codes.closeBracket) {
      open.pop();
    } else if (code === codes.quote) {
      const end = endOfString(text, at);
      const inner = open.at(-1);
      if (inner?.keys && isKey(text, end)) {
        inner.at = readString(text.slice(at, end));
        if (inner.keys.has(inner.at)) duplicatePath ??= open.map((one) => one.at);
        inner.keys.add(inner.at);
      }
      at = end - 1;
    }
  }
  return { depth, values, duplicatePath };
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === codes.backslash) at++;
    else if (code === codes.quote) return at + 1;
  }
  return text.length;
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (at < text.length && " \t\r\n".includes(text.charAt(at))) at++;
  return text[at] === ":";
}

function readString(literal: string): string {
  if (!literal.includes("\\")) return literal.slice(1, -1);
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}
