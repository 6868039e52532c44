import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const source = join(import.meta.dir, "../src");

/** Bundles everything that entry points of the client export, and gives the text. */
async function bundle(entryPoints: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-client-bundle-"));
  try {
    const entry = join(folder, "entry.ts");
    writeFileSync(entry, entryPoints.map((file) => `export * from ${JSON.stringify(join(source, file))};`).join("\n"));
    const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser", minify: true, format: "esm" });
    return (await Promise.all(outputs.map((output) => output.text()))).join("");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each([
  ["to call and to watch", ["index.ts"], 8_000],
  ["with reportTask", ["index.ts", "report/index.ts"], 11_000],
])("the built client is small %s, and has no declaration in it", async (_, entryPoints, maxBytes) => {
  const text = await bundle(entryPoints);
  expect(Bun.gzipSync(Buffer.from(text)).length).toBeLessThanOrEqual(maxBytes);
  expect(text).toContain("list-tasks");
  expect(text).not.toMatch(/zod|safeParse|primary_entity\.value/i);
  expect(text).not.toMatch(/\b(from|import|require)\s*\(?\s*["']/);
});
