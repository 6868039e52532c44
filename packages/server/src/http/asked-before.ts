import { fingerprint } from "./fingerprint";

/** Says whether a key was asked for before, not too long ago, and remembers that it was asked for now. */
export type WasAskedBefore = (key: string) => boolean;

/** Makes a memory of the last keys, at least as many as are given. Two keys may be taken for each other, very rarely. */
export function rememberAsked(keys: number): WasAskedBefore {
  let recent = new Set<string>();
  let older = new Set<string>();
  return (key) => {
    const short = fingerprint([key]);
    const isKnown = recent.has(short) || older.has(short);
    if (recent.size >= keys) {
      older = recent;
      recent = new Set();
    }
    recent.add(short);
    return isKnown;
  };
}
