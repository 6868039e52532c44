import type { Resource } from "@holdfast/api/conventions/operation";
import type { DescribedService } from "@holdfast/api/openapi";
import { documentedOperations } from "@holdfast/api/reference/operations";
import { resources as allResources } from "@holdfast/api/resources/index";
import { html, raw } from "hono/html";
import { catalogueSections } from "./docs-page/catalogues";
import type { Html, Section } from "./docs-page/elements";
import { guideSections } from "./docs-page/guide";
import { discoverySection, operationAnchor, resourceSection } from "./docs-page/operations";
import { sessionEntries, sessionSection } from "./docs-page/session-paths";
import { docsStyle, docsStyleHash } from "./docs-page/style";
import { pageHead, wordmark } from "./page-head";

export { docsStyleHash };

/** Renders the API for readers: one page, made from the declarations that the service itself works by. */
export function renderDocsPage(service: DescribedService, resources: readonly Resource[] = allResources): string {
  const guide = guideSections(service);
  const resourceSections = resources.map((resource) => resourceSection(resource, service));
  const catalogues = catalogueSections();
  const discovery = discoverySection();
  return html`<!doctype html>
<html lang="en">
<head>
${pageHead("API · Holdfast")}
<style>${raw(docsStyle)}</style>
</head>
<body>
<div class="page">
<nav aria-label="Contents">
<a class="brand" href="#top">${wordmark("Holdfast")}</a>
${contents("How to", guide)}
${contents("Operations", [discovery, ...operationEntries(resources)])}
${contents("For people", sessionEntries)}
${contents("To look up", catalogues)}
</nav>
<main id="top">
${introduction(service)}
${[...guide, discovery, ...resourceSections, sessionSection(), ...catalogues].map(renderSection)}
</main>
</div>
</body>
</html>
`.toString();
}

function introduction({ baseUrl, version }: DescribedService): Html {
  return html`<h1>Holdfast API</h1>
<p class="lead">What was backed up and restored, how it went and who may see it: as JSON over HTTP, for scripts, dashboards
and everything that you automate.</p>
<dl class="facts">
<dt>Base URL</dt><dd><code>${baseUrl}</code></dd>
<dt>Version</dt><dd>${version}</dd>
<dt>For people</dt><dd><a href="console/">the console</a>, which shows the same</dd>
<dt>For programs</dt><dd><a href="openapi.json">openapi.json</a>, the same in OpenAPI 3.1</dd>
</dl>`;
}

function operationEntries(resources: readonly Resource[]): Pick<Section, "id" | "title">[] {
  return documentedOperations(resources).map((operation) => ({
    id: operationAnchor(operation),
    title: operation.newest.id,
  }));
}

function contents(title: string, entries: readonly Pick<Section, "id" | "title">[]): Html {
  return html`<strong>${title}</strong>
<ul>${entries.map((entry) => html`<li><a href="#${entry.id}">${entry.title}</a></li>`)}</ul>`;
}

function renderSection({ id, title, body }: Section): Html {
  return html`<section id="${id}"><h2>${title}</h2>${body}</section>\n`;
}
