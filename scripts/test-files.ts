/** Finds every file that `bun test` would take for one of tests, by its path from the workspace. */
export async function findTestFiles(): Promise<string[]> {
  const files = await Array.fromAsync(new Bun.Glob("**/*{.test,_test,.spec,_spec}.{ts,tsx,js,jsx}").scan());
  return files.filter((file) => !file.includes("node_modules/")).sort();
}
