/** A random number from 0 up to, but not including, a bound. */
export type Dice = (bound: number) => number;

/** Dice that fall the same way again for the same seed (mulberry32). */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * bound);
  };
}

/** The element at a number, counted on from the first again after the last. */
export function elementAt<One>(all: readonly One[], number: number): One {
  const [found] = all.slice(number % all.length);
  if (found === undefined) throw new Error("There is nothing to choose from.");
  return found;
}
