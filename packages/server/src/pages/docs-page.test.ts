import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { errorCatalogue } from "@holdfast/api/conventions/error-catalogue";
import type { Operation } from "@holdfast/api/conventions/operation";
import { permissions } from "@holdfast/api/conventions/permissions";
import { resources } from "@holdfast/api/resources/index";
import { sessionPaths } from "@holdfast/api/session/session-paths";
import { docsStyleHash, renderDocsPage } from "./docs-page";

const service = {
  vendor: "svc",
  baseUrl: "https://backup.example.org",
  version: "1.2.3",
  pageSizes: { default: 100, maximum: 1000 },
};
const page = renderDocsPage(service);

describe("the docs page", () => {
  test("has every operation with its path, permission, media types, filters, parameters and body", () => {
    const wanted = resources.flatMap(({ name, versions }) =>
      versions.flatMap(({ version, operations }) =>
        operations.flatMap((operation) => [
          `<article class="operation" id="operation-${operation.id}">`,
          `<code>${operation.path}</code>`,
          operation.permission === null ? "<dd>none" : `<dd><code>${operation.permission}</code>`,
          `<code>application/api.svc.${name}=v${version}+json</code>`,
          ...fieldsOf(operation).map((field) => `<td><code>${field}</code>`),
        ]),
      ),
    );
    expect(wanted.filter((one) => !page.includes(one))).toEqual([]);
  });

  test("has every path for people who sign in, in the contents and with its body and its answer", () => {
    const wanted = sessionPaths.flatMap(({ id, method, path, body, answer }) => [
      `<a href="#session-${id}">${id}</a>`,
      `<h3><span class="method">${method}</span> <code>${path}</code> <span class="id">${id}</span></h3>`,
      ...[body, answer].flatMap((shape) => Object.keys(shape?.shape ?? {})).map((field) => `<td><code>${field}</code>`),
    ]);
    expect(wanted.filter((one) => !page.includes(one))).toEqual([]);
  });

  test("has every error with its name, and every permission", () => {
    const wanted = [
      ...Object.values(errorCatalogue).map(({ code }) => `<td><code>${code}</code></td>`),
      ...Object.keys(errorCatalogue).map((name) => `<td><code>${name}</code></td>`),
      ...Object.keys(permissions).map((name) => `<td><code>${name}</code></td>`),
    ];
    expect(wanted.filter((one) => !page.includes(one))).toEqual([]);
  });

  test("has in its contents only links that lead somewhere, and no id twice", () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]);
    expect(targets.length).toBeGreaterThan(10);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
    expect(ids.length).toBe(new Set(ids).size);
  });

  test("names the hash of the very style that it carries", () => {
    const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map((match) => match[1] ?? "");
    expect(styles.map((style) => `'sha256-${createHash("sha256").update(style).digest("base64")}'`)).toEqual([
      docsStyleHash,
    ]);
  });

  test("runs nothing, loads nothing but its icon, and has no style but its own (T23)", () => {
    expect(page.replace('<link rel="icon" type="image/svg+xml" href="favicon.svg">', "")).not.toMatch(
      /<script|<link|<img|<iframe|@import|url\(|\son[a-z]+=|\sstyle=/i,
    );
    const links = [...page.matchAll(/(?:src|href)="(?!#)([^"]*)"/g)].map((match) => match[1]);
    expect(links).toEqual(["favicon.svg", "console/", "openapi.json"]);
  });

  test("shows what it was given as text, never as markup", () => {
    const hostile = `<script>alert("1")</script>&'`;
    const shown = renderDocsPage({ vendor: hostile, baseUrl: hostile, version: hostile, pageSizes: service.pageSizes });
    expect(shown).not.toContain("<script");
    expect(shown).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;");
  });

  test("tells of underscore links only where the service has them", () => {
    expect(page).not.toContain("<code>_next</code>");
    expect(renderDocsPage({ ...service, underscoreLinks: true })).toContain("<code>_next</code>");
  });
});

/** Inputs of an operation: filters, or what is in the query and in the body. */
function fieldsOf(operation: Operation): string[] {
  switch (operation.kind) {
    case "list":
      return Object.keys(operation.filters);
    case "watch":
      return [...Object.keys(operation.filters), ...Object.keys(operation.parameters)];
    case "read":
      return Object.keys(operation.parameters ?? {});
    case "report":
      return Object.keys(operation.body.shape);
    case "write":
      return [...Object.keys(operation.parameters ?? {}), ...Object.keys(operation.body?.shape ?? {})];
  }
}
