/** Says whether a key was asked for before, not too long ago, and remembers that it was asked for now. */
export type WasAskedBefore = (key: string) => boolean;

/** Makes a memory of the last keys, at least as many as are given. Two keys may be taken for each other, very rarely. */
export function rememberAsked(keys: number): WasAskedBefore {
  let recent = new Set<number>();
  let older = new Set<number>();
  return (key) => {
    const short = Bun.hash.cityHash32(key);
    const isKnown = recent.has(short) || older.has(short);
    if (recent.size >= keys) {
      older = recent;
      recent = new Set();
    }
    recent.add(short);
    return isKnown;
  };
}
