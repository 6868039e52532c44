/** Properties of a JSON text that JSON.parse does not report. */
export interface JsonInspection {
  depth: number;
  /** How many elements and fields all lists and objects have together, at most. */
  values: number;
  duplicateKey: string | undefined;
}

/** How far a text is looked through: no further than to where it has more than this. */
interface JsonLimits {
  depth: number;
  values: number;
}

const noLimits: JsonLimits = { depth: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };

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
  const open: (Set<string> | "array")[] = [];
  let depth = 0;
  let values = 0;
  let duplicateKey: string | undefined;
  for (let at = 0; at < text.length && depth <= limits.depth && values <= limits.values; at++) {
    // By its code: taking a character out of a text makes a new one each time.
    const code = text.charCodeAt(at);
    if (code === codes.openBrace || code === codes.openBracket) {
      open.push(code === codes.openBrace ? new Set() : "array");
      depth = Math.max(depth, open.length);
      values++;
    } else if (code === codes.comma) {
      values++;
    } else if (code === codes.closeBrace || code === codes.closeBracket) {
      open.pop();
    } else if (code === codes.quote) {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (keys instanceof Set && isKey(text, end)) {
        const key = readString(text.slice(at, end));
        if (keys.has(key)) duplicateKey ??= key;
        keys.add(key);
      }
      at = end - 1;
    }
  }
  return { depth, values, duplicateKey };
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
