import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const repository = join(import.meta.dir, "..");
const pages = ["", ...foldersBelow("docs")].flatMap((folder) =>
  readdirSync(join(repository, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name)),
);

function foldersBelow(folder: string): string[] {
  const inside = readdirSync(join(repository, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...inside.flatMap((entry) => foldersBelow(join(folder, entry.name)))];
}

/** A page without its code, in which brackets are no links and # begins no heading. */
function prose(page: string): string {
  return readFileSync(join(repository, page), "utf8")
    .replace(/^```[\s\S]*?^```/gm, "")
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()#]/g, ""));
}

/** The anchors of a page's headings, as GitHub and GitLab make them. */
function anchors(page: string): string[] {
  return [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function isBroken(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!existsSync(join(repository, target))) return true;
  return anchor !== undefined && !anchors(target).includes(anchor);
}

test("there are pages to look at", () => {
  expect(pages).toContain("README.md");
  expect(pages).toContain("docs/how-to/make-a-token.md");
});

test.each(pages)("every relative link in %s leads to a file and a heading that exist", (page) => {
  const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const own = links.filter((link) => !/^[a-z]+:/.test(link));
  expect(own.filter((link) => isBroken(page, link))).toEqual([]);
});

test("every page below docs is reached from its index, or from that of its own folder", () => {
  const below = pages.filter((page) => page.startsWith("docs/") && page !== "docs/README.md");
  const isLinked = (index: string, page: string) => prose(index).includes(`(${relative(dirname(index), page)})`);
  const isReached = (page: string) => {
    const own = join(dirname(page), "README.md");
    return isLinked("docs/README.md", page) || (own !== page && pages.includes(own) && isLinked(own, page));
  };
  expect(below.filter((page) => !isReached(page))).toEqual([]);
});
