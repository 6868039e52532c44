import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(import.meta.dir, "..");
const pages = [
  "README.md",
  "docs/tutorial.md",
  ...["docs/how-to", "docs/how-to/engines", "docs/how-to/pings"].flatMap((folder) =>
    readdirSync(join(repository, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  ),
];

/** The commands of a page, in their order. */
function commands(page: string): string {
  const text = readFileSync(join(repository, page), "utf8");
  return [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, block = ""]) => block).join("");
}

/** The variables that commands use before they are set. Names in lower case are operators of filters and fields of awk. */
function undefinedVariables(script: string): string[] {
  return [...script.matchAll(/\$\{?([A-Z][A-Z_]*)/g)]
    .filter(({ 1: name = "", index }) => !new RegExp(`\\b${name}=`).test(script.slice(0, index)))
    .map(([, name = ""]) => name)
    .filter((name) => name !== "NF");
}

test("a variable that is used before it is set is found", () => {
  expect(undefinedVariables("A=1\ncurl $A/$B_C\nB_C=$(x)\ncurl $B_C")).toEqual(["B_C"]);
});

test.each(pages)("the commands of %s set every variable that they use", (page) => {
  expect(undefinedVariables(commands(page))).toEqual([]);
});
