/** Chance that is the same every time for a given seed. */
export interface Random {
  /** From 0 up to, not including, 1. */
  fraction(): number;
  /** A whole number, both ends included. */
  whole(low: number, high: number): number;
  isLucky(probability: number): boolean;
  /** Around 0, hardly ever beyond ±2.5: most draws are close to the middle. */
  bell(): number;
  pick<Item>(items: readonly Item[]): Item;
  pickWeighted<Item extends { weight: number }>(items: readonly Item[]): Item;
}

/** Makes a source of chance (sfc32). Sources with different purposes do not influence one another. */
export function createRandom(seed: number, purpose: string): Random {
  let a = seed >>> 0;
  let b = Math.floor(seed / 2 ** 32) >>> 0;
  let c = hash(purpose);
  let counter = 1;

  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  // The first draws still show how close two seeds were.
  for (let round = 0; round < 15; round++) next();

  const fraction = () => next() / 2 ** 32;
  return {
    fraction,
    whole: (low, high) => low + Math.floor(fraction() * (high - low + 1)),
    isLucky: (probability) => fraction() < probability,
    bell: () => (fraction() + fraction() + fraction() - 1.5) * 2,
    pick: (items) => pickAt(items, Math.floor(fraction() * items.length)),
    pickWeighted(items) {
      const total = items.reduce((sum, { weight }) => sum + weight, 0);
      let left = fraction() * total;
      const index = items.findIndex(({ weight }) => {
        left -= weight;
        return left < 0;
      });
      return pickAt(items, index);
    },
  };
}

function pickAt<Item>(items: readonly Item[], index: number): Item {
  const item = items.at(index);
  if (item === undefined) throw new RangeError("There is nothing to pick from.");
  return item;
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
}
