/** Which power of the size a figure follows: the slope of the straight line through the points on two logarithmic axes. */
export function exponentOf(sizes: readonly number[], values: readonly (number | null)[]): number | null {
  const points = sizes.flatMap((size, at) => {
    const value = values[at];
    return value === null || value === undefined || value <= 0 ? [] : [[Math.log(size), Math.log(value)] as const];
  });
  if (points.length < 2) return null;
  const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return slope / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

/** From which exponent on each law is named, the largest first. */
const laws: [number, string][] = [
  [1.2, "faster than the size"],
  [0.8, "with the size"],
  [0.2, "slower than the size"],
  [0.06, "hardly: about with its logarithm"],
  [-0.06, "not at all"],
  [Number.NEGATIVE_INFINITY, "the other way: it falls"],
];

/** Says how a figure grows with the size. */
export function lawOf(sizes: readonly number[], values: readonly (number | null)[]): string {
  const exponent = exponentOf(sizes, values);
  if (exponent === null) return "";
  const words = laws.find(([from]) => exponent >= from)?.[1] ?? "";
  return `n^${exponent.toFixed(2)}: ${words}`;
}
