import type { Check } from "./check";
import { codeOf, readSourceFiles, type SourceFile } from "./source-files";

/** Where text is normalised: compose.ts looks at its length first, and the demo has only names of its own. */
const mayNormalise = [
  /^packages\/api\/src\/conventions\/compose\.ts$/,
  /^packages\/cli\/src\/demo\//,
  /\.test\.ts$/,
  /^packages\/[^/]+\/test\//,
];

/** Text is normalised in one place. Elsewhere it could be of any length, and the time grows with the square of that. */
export const composing: Check = {
  name: "text is normalised in one place",
  find: async () => strayNormalising(await readSourceFiles("packages/**/*.{ts,tsx}")),
};

/** The files that normalise text and may not. */
export function strayNormalising(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !mayNormalise.some((allowed) => allowed.test(path)))
    .filter((file) => /\.\s*normalize\b/.test(codeOf(file)))
    .map(({ path }) => `${path} normalises text. Use compose of packages/api/src/conventions/compose.ts.`);
}
