import { fingerprint } from "./fingerprint";

/** A memory of the keys that were asked for not too long ago. */
export interface AskedBefore {
  has(key: string): boolean;
  note(key: string): void;
}

/** Makes a memory of the last keys, at least as many as are given. */
export function rememberAsked(keys: number): AskedBefore {
  let recent = new Set<string>();
  let older = new Set<string>();
  return {
    has(key) {
      const short = fingerprint([key]);
      return recent.has(short) || older.has(short);
    },
    note(key) {
      if (recent.size >= keys) {
        older = recent;
        recent = new Set();
      }
      recent.add(fingerprint([key]));
    },
  };
}
