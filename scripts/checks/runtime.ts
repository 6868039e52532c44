import type { Check } from "./check";
import { codeOf, readSourceFiles, type SourceFile } from "./source-files";

/** The files that may know that the runtime is Bun. Everything else would run on another one. */
const mayKnowBun = [
  /^packages\/server\/src\/database\/sqlite\/(open|prepare|snapshot|versions|dialect|errors|guard|inspect|soundness|copy-database|restore)\.ts$/,
  /^packages\/server\/src\/http\/listen\.ts$/,
  /^packages\/server\/src\/sign-in\/password\.ts$/,
  /^packages\/runner\/src\/system\//,
  /^packages\/cli\/src\/(main|terminal\/width)\.ts$/,
  /^packages\/console\/build\/build-console\.ts$/,
  /\.test\.ts$/,
  /^packages\/[^/]+\/test\//,
];

/** Bun-only calls stay where they are expected. */
export const runtime: Check = {
  name: "Bun only where it is expected",
  find: async () => strayBunCalls(await readSourceFiles("packages/**/*.{ts,tsx}")),
};

/** The files that call or import Bun and may not. */
export function strayBunCalls(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !mayKnowBun.some((allowed) => allowed.test(path)))
    .filter((file) => importsBun(file.text) || /(?<![\w$.])Bun\s*[.[]/.test(codeOf(file)))
    .map(({ path }) => `${path} uses Bun. Use what every runtime has, or move the call into a file made for it.`);
}

function importsBun(text: string): boolean {
  return /\b(from|import|require)\s*\(?\s*["']bun(:\w+)?["']/.test(text);
}
