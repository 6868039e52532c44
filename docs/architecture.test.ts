import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(import.meta.dir, "..");
const page = readFileSync(join(repository, "ARCHITECTURE.md"), "utf8");
/** Folders whose many files are alike, and whose README is that of the folder above. */
const alike = ["packages/cli/src/commands/task"];
const readmes = ["packages", "scripts", "packaging", "bench"]
  .flatMap(foldersIn)
  .filter((folder) => existsSync(join(repository, folder, "README.md")));

/** Every folder below one, but for what npm has installed. */
function foldersIn(folder: string): string[] {
  const inside = readdirSync(join(repository, folder), { withFileTypes: true });
  const folders = inside.filter((entry) => entry.isDirectory() && entry.name !== "node_modules");
  return [folder, ...folders.flatMap((entry) => foldersIn(join(folder, entry.name)))];
}

/** The files and folders that a page names in backticks: those with an ending, and those with a slash at the end. */
function namedIn(text: string): string[] {
  const path = /`((?:\.\.?\/)*[a-z][\w-]*(?:\/[\w.-]+)*(?:\/|(?:\.test)?\.(?:tsx?|css|md)))`/g;
  return [...text.matchAll(path)].map(([, found = ""]) => found);
}

/** Finds a path: in the repository if it begins with one of its folders, otherwise below the folder that the page is about. */
function isMissing(path: string, folder: string): boolean {
  const isFromRoot = /^(packages|packaging|scripts|docs|bench)\//.test(path);
  return !existsSync(join(repository, isFromRoot ? "" : folder, path));
}

test("ARCHITECTURE.md names files, and has two pages", () => {
  expect(namedIn(page)).toContain("http/request-pipeline.ts");
  expect(namedIn(page)).toContain("packages/api/src/resources/");
  expect(page.split("\n").length).toBeLessThanOrEqual(121);
});

test("every file and folder that ARCHITECTURE.md names exists", () => {
  const named = namedIn(page).filter((path) => path !== "README.md");
  expect(named.filter((path) => isMissing(path, "packages/server/src"))).toEqual([]);
});

test("ARCHITECTURE.md names a source file with its folder, so that it can be found", () => {
  const bare = [...page.matchAll(/`([\w.-]+\.ts)`/g)].map(([, name]) => name);
  expect(bare).toEqual([]);
});

test("ARCHITECTURE.md names every folder of the server on its layer", () => {
  const layers = [...page.matchAll(/^\| \d+ \| ([^|]+) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([\w-]+)\/`/g)].map(([, folder]) => folder),
  );
  expect(layers.sort()).toEqual(readdirSync(join(repository, "packages/server/src")).sort());
});

test("every package, and every folder with more than twelve source files, has a README", () => {
  const packages = readdirSync(join(repository, "packages")).map((name) => `packages/${name}`);
  const large = packages
    .flatMap((folder) => foldersIn(`${folder}/src`))
    .filter((folder) => {
      const names = readdirSync(join(repository, folder));
      return names.filter((name) => /\.tsx?$/.test(name) && !name.includes(".test.")).length > 12;
    });
  const sources = large.filter((folder) => !folder.endsWith("/src") && !alike.includes(folder));
  expect([...packages, ...sources].filter((folder) => !readmes.includes(folder))).toEqual([]);
});

test.each(readmes)("%s/README.md has at most 30 lines, and what it names exists", (folder) => {
  const text = readFileSync(join(repository, folder, "README.md"), "utf8");
  const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = ""]) => join(folder, link));
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(30);
  expect(namedIn(text).filter((path) => isMissing(path, folder))).toEqual([]);
  expect(links.filter((link) => !existsSync(join(repository, link)))).toEqual([]);
});
