/** What JSON.parse does not tell about a text. */
export interface JsonInspection {
  depth: number;
  duplicateKey: string | undefined;
}

/** Looks through a JSON text once, without building anything, so that it is safe to use before it is parsed. */
export function inspectJson(text: string): JsonInspection {
  const open: (Set<string> | "array")[] = [];
  let depth = 0;
  let duplicateKey: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "{" || character === "[") {
      open.push(character === "{" ? new Set() : "array");
      depth = Math.max(depth, open.length);
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
  return { depth, duplicateKey };
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
