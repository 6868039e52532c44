/** The word that is nearest to a misspelt one; nothing where none is near. */
export function nearest(given: string, words: readonly string[]): string | undefined {
  const max = Math.max(1, Math.floor(given.length / 3));
  const ranked = words
    .map((word) => ({ word, distance: distanceBetween(given.toLowerCase(), word) }))
    .filter(({ distance, word }) => distance <= max || (given.length > 1 && word.startsWith(given.toLowerCase())))
    .sort((one, other) => one.distance - other.distance);
  return ranked[0]?.word;
}

/** Number of letters that have to be put in, left out, changed or swapped with their neighbour. */
function distanceBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1;
      const cell = (back: number, left: number) => (back === 0 ? row : rows[i - back])?.[j - left] ?? Infinity;
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(Math.min(cell(1, 0) + 1, cell(0, 1) + 1, cell(1, 1) + cost, isSwapped ? cell(2, 2) + 1 : Infinity));
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}
