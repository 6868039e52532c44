import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultVersion } from "@holdfast/api/conventions/operation";
import { resources } from "@holdfast/api/resources/index";
import { builtFor } from "../src/declared";

const folder = join(import.meta.dir, "../src");
const mostBytes = 12 * 1024;

async function bundle(target: "browser" | "node") {
  const { outputs } = await Bun.build({ entrypoints: [join(folder, "index.ts")], target, minify: true, format: "esm" });
  return (await Promise.all(outputs.map((output) => output.text()))).join("");
}

describe("the built client", () => {
  test("is small, and has no declaration in it", async () => {
    const text = await bundle("browser");
    expect(Bun.gzipSync(Buffer.from(text)).length).toBeLessThanOrEqual(mostBytes);
    expect(text).toContain("list-tasks");
    expect(text).not.toMatch(/zod|safeParse|primary_entity\.value/i);
    expect(text).not.toMatch(/\b(from|import|require)\s*\(?\s*["']/);
  });
});

describe("the client's resources", () => {
  const texts = readdirSync(join(folder, "resources")).map((name) =>
    readFileSync(join(folder, "resources", name), "utf8"),
  );
  const declared = resources.flatMap(({ versions }) => versions.flatMap(({ operations }) => operations));

  test("are all that are declared, in the version that is served by default", () => {
    const built: [string, number][] = Object.entries(builtFor);
    const defaults = resources.map((resource): [string, number] => [resource.name, defaultVersion(resource)]);
    expect(built.sort()).toEqual(defaults.sort());
  });

  test.each([...new Set(declared.map(({ id }) => id))])("call %s", (id) => {
    expect(texts.filter((text) => text.includes(`, "${id}",`))).toHaveLength(1);
  });

  test("have no path written down", () => {
    const paths = declared.map(({ path }) => `/${path.split("/")[1]}`);
    expect(
      texts.filter((text) => paths.some((path) => text.includes(`"${path}`) || text.includes(`\`${path}`))),
    ).toEqual([]);
  });
});
