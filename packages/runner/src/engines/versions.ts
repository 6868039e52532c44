/** Numbers from the most to the least significant. */
export type Version = readonly number[];

/** Finds the first version number after a word, such as `restic 0.14.0`. */
export function parseVersionAfter(word: string, output: string): Version | undefined {
  const at = output.indexOf(word);
  const found = at < 0 ? undefined : output.slice(at + word.length, at + word.length + 100).match(/\d+(?:\.\d+)+/)?.[0];
  return found?.split(".").map(Number);
}

export function isAtLeast(version: Version | undefined, min: Version): boolean {
  if (version === undefined) return false;
  for (const [at, part] of min.entries()) {
    const own = version[at] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}
