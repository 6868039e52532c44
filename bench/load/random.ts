/** A source of random choices that are the same in every run. */
export interface Random {
  /** A number from 0 up to 1. */
  share(): number;
  pick<Value>(values: readonly Value[]): Value;
}

/** Makes a source from a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed;
  const share = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    share,
    pick(values) {
      const value = values[Math.floor(share() * values.length)];
      if (value === undefined) throw new Error("There is nothing to choose from.");
      return value;
    },
  };
}
