/** At which byte of UTF-8 each line of a text begins. */
export function lineOffsets(text: string): number[] {
  const bytes = new TextEncoder().encode(text);
  const offsets = [0];
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) offsets.push(at + 1);
  return offsets;
}

/** The line that a byte stands in, counted from 0; undefined beyond the end. */
export function lineAt(text: string, byte: number): number | undefined {
  const bytes = new TextEncoder().encode(text);
  if (byte >= bytes.length) return undefined;
  return lineOffsets(text).findLastIndex((offset) => offset <= byte);
}
