import { Glob } from "bun";

export interface SourceFile {
  /** From the workspace's root. */
  path: string;
  text: string;
}

/** Reads the workspace's own files that match a pattern, in the order of their names. */
export async function readSourceFiles(pattern: string): Promise<SourceFile[]> {
  const paths = [...new Glob(pattern).scanSync(".")].filter((path) => !path.includes("node_modules/")).sort();
  return Promise.all(paths.map(async (path) => ({ path, text: await Bun.file(path).text() })));
}

/** A file's code without comments and types. One that cannot be read is left as it is: the compiler says why. */
export function codeOf({ path, text }: SourceFile): string {
  try {
    return new Bun.Transpiler({ loader: path.endsWith(".tsx") ? "tsx" : "ts" }).transformSync(text);
  } catch {
    return text;
  }
}
