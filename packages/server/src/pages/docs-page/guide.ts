import { filterLimits } from "@holdfast/api/conventions/filter";
import { versionedMediaType } from "@holdfast/api/conventions/media-type";
import { defaultVersion, supportedVersions } from "@holdfast/api/conventions/operation";
import { listParameterNames, listParameters } from "@holdfast/api/conventions/paging";
import { unitHeader } from "@holdfast/api/conventions/unit-header";
import type { DescribedService } from "@holdfast/api/openapi";
import { resources } from "@holdfast/api/resources/index";
import { html } from "hono/html";
import { commandName } from "../../settings/executable";
import { code, codeBlock, codes, prose, type Section, table } from "./elements";

/** Sections to read before the first call: the same for every operation. */
export function guideSections(service: DescribedService): Section[] {
  return [authenticate(service), chooseVersion(service), page(service), filter(), scope(service), change(), poll()];
}

function authenticate({ baseUrl }: DescribedService): Section {
  return {
    id: "authenticate",
    title: "Authenticate",
    body: html`
<p>${prose("Send an API token with every request, in `Authorization: Bearer <token>`. An administrator makes one:")}</p>
${codeBlock(`URL=${baseUrl}\nTOKEN=$(${commandName} token create --kind service --name reports --role viewer)`)}
<p>${prose("A personal token acts as its user. A service token has a role of its own, for a machine. Both work only with the control plane that issued them, and both can be revoked at any time.")}</p>
<p>Then ask what the token may do. Take paths from this index instead of writing them into your program.</p>
${codeBlock('curl "$URL/" -H "Authorization: Bearer $TOKEN"')}`,
  };
}

function chooseVersion({ vendor }: DescribedService): Section {
  const rows = resources.map((resource) => [
    code(resource.name),
    codes(supportedVersions(resource).map((version) => `v${version}`)),
    code(versionedMediaType(vendor, resource.name, defaultVersion(resource))),
  ]);
  const pairs = resources.map((resource) => `${resource.name}=v${defaultVersion(resource)}`);
  return {
    id: "versions",
    title: "Choose a version",
    body: html`
<p>${prose("Each resource has versions of its own. Name the one that your program was written for in `Accept`; `Content-Type` is the version that was served. Without `Accept`, and for `*/*` or `application/json`, the default is served.")}</p>
${table("Versions", ["Resource", "Versions", "Default"], rows)}
<p>${prose(`One header can serve for every call: \`application/api.${vendor}.${pairs.join("&")}+json\`. A version that the resource does not have is answered with 406.`)}</p>`,
  };
}

function page({ pageSizes, underscoreLinks }: DescribedService): Section {
  const rows = listParameterNames.map((name) => [code(name), prose(listParameters[name])]);
  return {
    id: "pages",
    title: "Page through a list",
    body: html`
${table("Parameters", ["Parameter", "Meaning"], rows)}
<p>A page has ${pageSizes.default} items unless you ask for another number, and at most ${pageSizes.maximum}.</p>
<p>${prose("Follow `_links.next` until there is none. That walk shows each item once, even while items come and go. `_links` also has `self`, `first` and `last`, and `prev` where there is a page before.")}${underscoreLinks ? prose(" Each link is there under its name with an underscore, too: `_next`.") : ""}</p>
${codeBlock(`{
  "_embedded": { "items": [ … ] },
  "_links": {
    "self": { "href": "/tasks?start=1&limit=20", "templated": false, "type": "get" },
    "next": { "href": "/tasks?start=2&limit=20&cursor=…", "templated": false, "type": "get" },
    …
  },
  "current_count": 20,
  "total_count": 118,
  "start": "1",
  "total_pages_count": 6,
  "limit": 20,
  "filter_applied": null
}`)}`,
  };
}

function filter(): Section {
  const { bytes, conditions, values } = filterLimits;
  return {
    id: "filters",
    title: "Filter a list",
    body: html`
<p>${prose("`filter` is one JSON object, percent-encoded. Everything in it has to hold. A bare value means `$eq`.")}</p>
${codeBlock('{ "status": { "$in": ["failed", "aborted"] }, "created_timestamp": { "$gte": "2026-11-01T00:00:00Z" } }')}
<p>${prose(`Which fields and operators there are is said below, with each list. A filter has at most ${bytes} bytes, ${conditions} conditions and ${values} values in an \`$in\`. \`filter_applied\` in the answer tells how it was understood.`)}</p>`,
  };
}

function scope({ vendor }: DescribedService): Section {
  const header = unitHeader(vendor);
  return {
    id: "units",
    title: "Scope to an organizational unit",
    body: html`
<p>${prose(`Organizational units form a tree. A request acts in one of them and sees what is in it and below it: the unit that \`${header}\` names, or the one that the token was made for.`)}</p>
${codeBlock(`curl "$URL/tasks" -H "Authorization: Bearer $TOKEN" \\\n  -H "${header}: 00000000-0000-0000-0000-000000000000"`)}
<p>The root's id is all zeros. A unit in which you hold no role is answered with 403, whether it exists or not.</p>`,
  };
}

function change(): Section {
  return {
    id: "changes",
    title: "Change something",
    body: html`
<p>${prose("Send what is to be created or changed as one JSON object, with `Content-Type: application/json`. A field that the operation does not have is refused, and one response lists all errors. What was created is answered with 201 and its address in `Location`; what was deleted with 204.")}</p>
<p>${prose("Each item has an `ETag`. Send it back in `If-Match` with a PATCH or DELETE, or with a POST about that item: 412 says that the item has changed since, and nothing was done.")}</p>
<p>${prose("Send an `Idempotency-Key` of your choice with a POST. A client that gets no answer can then send the same again: within a day it is done once, and answered alike. Only what is shown once, such as a token, is not shown again.")}</p>`,
  };
}

function poll(): Section {
  return {
    id: "poll",
    title: "Poll politely",
    body: html`
<p>${prose("Each answer has an `ETag`. Send it back in `If-None-Match`: 304 says that nothing has changed, and costs next to nothing. `RateLimit` has the number of requests left; after a 429 or a 503, wait as many seconds as `Retry-After` says.")}</p>`,
  };
}
