import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCatalogue } from "@holdfast/api/conventions/error-catalogue";
import { permissions } from "@holdfast/api/conventions/permissions";
import { resources } from "@holdfast/api/resources/index";
import { sessionPaths } from "@holdfast/api/session/session-paths";
import { settingNames } from "@holdfast/server/settings/declarations";
import { allMetrics } from "@holdfast/server/telemetry/metric-declarations";
import { commandNames } from "../packages/cli/src/command-line";
import { staleClientFiles, stalePages, writePages } from "./generate-reference";
import { clientExamples } from "./generator/client-examples";
import { clientResources } from "./generator/client-resources";
import { readClientExports } from "./generator/client-source";
import { commandFields } from "./generator/command-fields";
import { referencePages } from "./generator/reference-pages";

let folder: string;
/** Made once, because the same code always gives the same text. */
const pages = await referencePages();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-reference-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe("the reference", () => {
  test("in this repository is what the code says", async () => {
    expect(await stalePages(join(import.meta.dir, "reference"))).toEqual([]);
  });

  test("is missing where nothing was written yet", async () => {
    expect(await stalePages(folder, pages)).toEqual([...pages.keys()]);
  });

  test("is current once it was written, and not any more when a page is edited", async () => {
    await writePages(folder);
    expect(readdirSync(folder).sort()).toEqual([...pages.keys()].sort());
    expect(await stalePages(folder, pages)).toEqual([]);
    appendFileSync(join(folder, "errors.md"), "By hand.\n");
    expect(await stalePages(folder, pages)).toEqual(["errors.md"]);
  });

  test("is read from generated files of the client that are what the declarations say", () => {
    expect(staleClientFiles()).toEqual([]);
    expect(staleClientFiles(new Map([["packages/client/src/index.ts", clientExamples]]))).toEqual([
      "packages/client/src/index.ts",
    ]);
  });

  test("is read from comments that begin with a noun or a verb, as do those in generated code", () => {
    const code = [clientResources(), clientExamples(), commandFields()].join("\n");
    const comments = [...code.matchAll(/(?:\/\*\*| \*|\/\/) (.*)/g)].map(([, text = ""]) => text);
    const sentences = readClientExports().map(({ sentence }) => sentence);
    expect(comments.length).toBeGreaterThan(100);
    expect([...comments, ...sentences].filter((text) => /^(What|How|Whether|The same)\b/.test(text))).toEqual([]);
  });

  test("has every example of the client as code that is compiled and run", () => {
    const lines = clientExamples()
      .split("\n")
      .map((line) => line.trim());
    const shown = readClientExports().flatMap(({ example = "", members }) =>
      [example, ...members.map((member) => member.example ?? "")].flatMap((text) => text.split("\n")),
    );
    expect(shown.length).toBeGreaterThan(100);
    expect(shown.filter((line) => !lines.includes(line.trim()) && !line.startsWith("import "))).toEqual([]);
  });

  test("says on every page that it is generated, and how", async () => {
    await writePages(folder, pages);
    const firstLines = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8").split("\n")[0]);
    expect(new Set(firstLines)).toEqual(
      new Set(["<!-- Generated from the code by `npm run docs`. Change the declarations, not this file. -->"]),
    );
  });

  const declared = resources.flatMap(({ versions }) => versions.flatMap(({ operations }) => operations));
  const filters = declared.flatMap((operation) => (operation.kind === "list" ? Object.keys(operation.filters) : []));

  test.each([
    ["operations.md", declared.map(({ id }) => `## ${id}\n`)],
    ["operations.md", declared.map(({ method, path }) => `\`${method.toUpperCase()} ${path}\``)],
    ["operations.md", sessionPaths.map(({ id, method, path }) => `### ${id}\n\n\`${method.toUpperCase()} ${path}\``)],
    [
      "operations.md",
      sessionPaths.flatMap(({ body, answer }) =>
        [body, answer].flatMap((shape) => Object.keys(shape?.shape ?? {}).map((field) => `| \`${field}\` |`)),
      ),
    ],
    [
      "fields.md",
      resources.flatMap(({ name, versions }) => versions.map(({ version }) => `### ${name} v${version}\n`)),
    ],
    ["filters.md", filters.map((name) => `| \`${name}\` |`)],
    [
      "errors.md",
      Object.entries(errorCatalogue).map(
        ([name, { code, meaning }]) => `| \`${code}\` | ${String(code).slice(0, 3)} | \`${name}\` | ${meaning} |`,
      ),
    ],
    ["permissions.md", Object.keys(permissions).map((name) => `| \`${name}\` |`)],
    ["metrics.md", [...allMetrics.keys()].map((name) => `| \`${name}\` |`)],
    ["commands.md", [...commandNames.keys()].map((name) => `## holdfast ${name}\n`)],
    ["client.md", readClientExports().map(({ name }) => `## ${name}\n`)],
    ["settings.md", settingNames.map((name) => `| \`HOLDFAST_${name.toUpperCase()}\` |`)],
  ])("has in %s everything that is declared", (name, wanted) => {
    const text = pages.get(name) ?? "";
    expect(wanted.filter((one) => !text.includes(one))).toEqual([]);
  });
});
