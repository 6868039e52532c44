/** What JSON.parse does not tell about a text. */
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

/** Looks through a JSON text once, without building anything, so that it is safe to use before it is parsed. */
export function inspectJson(text: string, limits = noLimits): JsonInspection {
  const open: (Set<string> | "array")[] = [];
  let depth = 0;
  let values = 0;
  let duplicateKey: string | undefined;
  for (let at = 0; at < text.length && depth <= limits.depth && values <= limits.values; at++) {
    const character = text[at];
    if (character === "{" || character === "[") {
      open.push(character === "{" ? new Set() : "array");
      depth = Math.max(depth, open.length);
      values++;
    } else if (character === ",") {
      values++;
    } else if (character === "}" || character === "]") {
      open.pop();
    } else if (character === '"') {
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
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
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
