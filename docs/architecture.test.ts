import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(import.meta.dir, "..");
const page = readFileSync(join(repository, "ARCHITECTURE.md"), "utf8");

/** The files and folders that the page names: in backticks, with a slash and either an ending or a slash at the end. */
const named = [...page.matchAll(/`([a-z][\w-]*(?:\/[\w.-]+)*\/(?:[\w-]+\.ts)?)`/g)].map(([, path = ""]) => path);

/** Where a path of the page leads to: into the repository, or else into the sources of the server. */
function locate(path: string): string {
  const isFromRoot = /^(packages|packaging|scripts|docs|bench)\//.test(path);
  return join(repository, isFromRoot ? "" : "packages/server/src", path);
}

test("ARCHITECTURE.md names files", () => {
  expect(named).toContain("http/exchange.ts");
  expect(named).toContain("packages/api/src/resources/");
});

test("every file and folder that ARCHITECTURE.md names exists", () => {
  expect(named.filter((path) => !existsSync(locate(path)))).toEqual([]);
});

test("ARCHITECTURE.md names a source file with its folder, so that it can be found", () => {
  const bare = [...page.matchAll(/`([\w.-]+\.ts)`/g)].map(([, name]) => name);
  expect(bare.filter((name) => !["operations.ts", "present.ts"].includes(name ?? ""))).toEqual([]);
});

test("ARCHITECTURE.md names every folder of the server on its floor", () => {
  const floors = [...page.matchAll(/^\| \d+ \| ([^|]+) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([\w-]+)\/`/g)].map(([, folder]) => folder),
  );
  expect(floors.sort()).toEqual(readdirSync(join(repository, "packages/server/src")).sort());
});
