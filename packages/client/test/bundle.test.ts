import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const index = join(import.meta.dir, "../src/index.ts");

/** Bundles what a program imports of the client, and gives the text. */
async function bundle(names: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-client-bundle-"));
  try {
    const entry = join(folder, "entry.ts");
    writeFileSync(entry, `export ${names} from ${JSON.stringify(index)};`);
    const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser", minify: true, format: "esm" });
    return (await Promise.all(outputs.map((output) => output.text()))).join("");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each([
  ["to call and to watch", "{ connect, HoldfastError, etagOf }", 8_000],
  ["with reportTask", "*", 11_000],
])("the built client is small %s, and has no declaration in it", async (_, names, mostBytes) => {
  const text = await bundle(names);
  expect(Bun.gzipSync(Buffer.from(text)).length).toBeLessThanOrEqual(mostBytes);
  expect(text).toContain("list-tasks");
  expect(text).not.toMatch(/zod|safeParse|primary_entity\.value/i);
  expect(text).not.toMatch(/\b(from|import|require)\s*\(?\s*["']/);
});
