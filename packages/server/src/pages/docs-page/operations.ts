import { versionedMediaType } from "@holdfast/api/conventions/media-type";
import { bodyOf, type Operation, parametersOf, type Resource } from "@holdfast/api/conventions/operation";
import type { DescribedService } from "@holdfast/api/openapi";
import { comparisons } from "@holdfast/api/reference/comparisons";
import { exampleCall } from "@holdfast/api/reference/examples";
import { documentedBody, documentedFields } from "@holdfast/api/reference/fields";
import { type DocumentedOperation, documentedOperations, filtersOf } from "@holdfast/api/reference/operations";
import { discovery } from "@holdfast/api/resources/discovery";
import { html } from "hono/html";
import { code, codeBlock, codes, type Html, prose, type Section, table } from "./elements";

/** Anchor of an operation: the same id in the table of contents and in the page. */
export function operationAnchor({ newest }: DocumentedOperation): string {
  return `operation-${newest.id}`;
}

export function discoverySection(): Section {
  return {
    id: "discovery",
    title: "Discovery",
    body: html`
<article class="operation">
<h3><span class="method">get</span> <code>${discovery.path}</code> <span class="id">${discovery.id}</span></h3>
<p>${prose(discovery.summary)} Resources are keys; each has <code>supported_versions</code> and, by version, its operations. ${prose(discovery.inBrowser)}</p>
${codeBlock(`{
  "tasks": {
    "supported_versions": ["v1"],
    "v1": { "list-tasks": { "href": "/tasks", "type": "get", "templated": false }, … }
  },
  …
}`)}
</article>`,
  };
}

/** A resource with its operations, and the fields of its items by version. */
export function resourceSection(resource: Resource, service: DescribedService): Section {
  const operations = documentedOperations([resource]);
  return {
    id: `resource-${resource.name}`,
    title: resource.name,
    body: html`
<p>${prose(resource.description)}</p>
${operations.map((operation) => operationArticle(operation, service))}
${resource.versions.map(({ version, operations: [first] }) => (first?.item ? itemFields(resource.name, version, first.item) : ""))}`,
  };
}

function operationArticle(documented: DocumentedOperation, { vendor }: DescribedService): Html {
  const { resource, newest, versions } = documented;
  const mediaTypes = versions.map(({ version }) => versionedMediaType(vendor, resource.name, version));
  return html`
<article class="operation" id="${operationAnchor(documented)}">
<h3><span class="method">${newest.method}</span> <code>${newest.path}</code> <span class="id">${newest.id}</span></h3>
<p>${prose(newest.summary)}</p>
<dl class="facts">
<dt>Permission</dt><dd>${newest.permission === null ? "none" : code(newest.permission)}${permissionNote(newest)}</dd>
<dt>Media types</dt><dd>${codes(mediaTypes)}</dd>
</dl>
${codeBlock(exampleCall(documented, vendor))}
${filterTable(documented)}
${sentTables(newest)}
</article>`;
}

function permissionNote({ furtherPermissions, allowsSelf, isForServices, requiresRoot }: Operation): string {
  if (isForServices) return ", but a service token";
  if (furtherPermissions) return ` and ${furtherPermissions.join(" and ")}`;
  if (requiresRoot) return " in the root";
  return allowsSelf ? "; people need none for what is their own" : "";
}

/** Tables of the query and the body. */
function sentTables(operation: Operation): Html {
  const { id } = operation;
  const body = bodyOf(operation);
  const inQuery = Object.entries(parametersOf(operation)).map(([name, { description = "" }]) => [
    code(name),
    prose(description),
  ]);
  return html`
${inQuery.length > 0 ? html`<h4>Query</h4>${table(`Query parameters of ${id}`, ["Parameter", "Meaning"], inQuery)}` : ""}
${body ? html`<h4>Body</h4>${bodyFields(id, body)}` : ""}`;
}

/** The fields of the body that has to be sent. */
export function bodyFields(id: string, body: Parameters<typeof documentedBody>[0]): Html {
  const rows = documentedBody(body).map(({ name, type, isNeeded, description }) => [
    code(name),
    type,
    isNeeded ? "yes" : "",
    prose(description),
  ]);
  return table(`Body of ${id}`, ["Field", "Type", "Needed", "Meaning"], rows);
}

function filterTable(documented: DocumentedOperation): Html {
  const fields = Object.entries(filtersOf(documented));
  if (fields.length === 0) return html``;
  const rows = fields.map(([name, { kind, operators, description }]) => [
    code(name),
    codes(operators),
    prose(comparisons[kind]),
    prose(description),
  ]);
  return html`<h4>Filters</h4>${table(`Filters of ${documented.newest.id}`, ["Field", "Operators", "Compared", "Meaning"], rows)}`;
}

function itemFields(resource: string, version: number, item: Parameters<typeof documentedFields>[0]): Html {
  const rows = documentedFields(item).map(({ name, type, description }) => [code(name), type, prose(description)]);
  return html`<h3>Fields in v${version}</h3>
${table(`Fields of ${resource} v${version}`, ["Field", "Type", "Meaning"], rows)}`;
}
