import { filterLimits } from "@holdfast/api/conventions/filter";
import { versionedMediaType } from "@holdfast/api/conventions/media-type";
import {
  defaultVersion,
  type Operation,
  parametersOf,
  supportedVersions,
  type WriteOperation,
} from "@holdfast/api/conventions/operation";
import { defaultPageSizes, listParameterNames, listParameters } from "@holdfast/api/conventions/paging";
import { defaultRoles, permissions } from "@holdfast/api/conventions/permissions";
import { unitHeader } from "@holdfast/api/conventions/unit-header";
import { comparisons } from "@holdfast/api/reference/comparisons";
import { documentedErrors } from "@holdfast/api/reference/errors";
import { exampleCall, exampleFilter } from "@holdfast/api/reference/examples";
import { documentedBody, documentedEnvelope, documentedFields } from "@holdfast/api/reference/fields";
import { type DocumentedOperation, documentedOperations, filtersOf } from "@holdfast/api/reference/operations";
import { publicPaths } from "@holdfast/api/reference/public-paths";
import { discovery } from "@holdfast/api/resources/discovery";
import { resources } from "@holdfast/api/resources/index";
import { bodyTable, fieldTable } from "./field-tables";
import { code, codeBlock, page, table } from "./markdown";
import { sessionSection } from "./session-section";

/** The pages show the names that an installation has which was not given others. */
const vendor = "svc";

export function operationsPage(): string {
  return page("Operations", [
    `The examples expect \`URL\` and \`TOKEN\` in the shell. Every operation takes the header \`${unitHeader(vendor)}\`, which names an organizational unit. Reading takes \`If-None-Match\`, changing and deleting \`If-Match\`, and creating \`Idempotency-Key\`. Each path that can be read also answers to HEAD, and every path to OPTIONS.`,
    `## ${discovery.id}`,
    `\`GET ${discovery.path}\``,
    `${discovery.summary} It needs a token, but no permission. ${discovery.inBrowser}`,
    codeBlock("sh", 'curl "$URL/" -H "Authorization: Bearer $TOKEN"'),
    ...documentedOperations(resources).flatMap(describeOperation),
    "## Query parameters of lists",
    table(
      ["Parameter", "Meaning"],
      listParameterNames.map((name) => [code(name), listParameters[name]]),
    ),
    `A page has ${defaultPageSizes.default} items by default and ${defaultPageSizes.maximum} at most; both are [settings](settings.md).`,
    ...sessionSection(),
    "## Paths without a token",
    table(
      ["Path", "What for"],
      publicPaths.map(({ path, summary }) => [code(path), summary]),
    ),
  ]);
}

function describeOperation(documented: DocumentedOperation): string[] {
  const { resource, newest, versions } = documented;
  const preferred = defaultVersion(resource);
  const rows = versions.map(({ version }) => [
    `v${version}${version === preferred ? " (default)" : ""}`,
    code(versionedMediaType(vendor, resource.name, version)),
  ]);
  const kind = "filters" in newest && Object.keys(newest.filters).length > 0 ? "It can be [filtered](filters.md)." : "";
  return [
    `## ${newest.id}`,
    `\`${newest.method.toUpperCase()} ${newest.path}\``,
    `${newest.summary} It needs ${describePermission(newest)}. ${kind}`.trimEnd(),
    table(["Version", "Media type"], rows),
    codeBlock("sh", exampleCall(documented, vendor)),
    ...describeParameters(newest),
    ...describeAnswer(newest),
    ...(newest.kind === "write" ? describeChange(newest) : []),
  ];
}

function describePermission(operation: Operation): string {
  const { permission, furtherPermissions, allowsSelf, isForServices, requiresRoot } = operation;
  if (isForServices) return "a service token, but no permission";
  if (permission === null) return "a token, but no permission";
  if (furtherPermissions) {
    return `the permissions ${[permission, ...furtherPermissions].map((one) => `\`${one}\``).join(" and ")}`;
  }
  const named = `the permission \`${permission}\``;
  if (requiresRoot) return `${named} in the root`;
  return allowsSelf ? `${named}; people need none for what is their own` : named;
}

function describeParameters(operation: Operation): string[] {
  const rows = Object.entries(parametersOf(operation)).map(([name, { description = "" }]) => [code(name), description]);
  return rows.length > 0 ? [table(["Query parameter", "Meaning"], rows)] : [];
}

/** Formats other than JSON in which a read can be answered. */
function describeAnswer(operation: Operation): string[] {
  if (operation.kind === "watch")
    return ["It answers with `text/event-stream`, which goes on; see [how to watch tasks](../how-to/watch-tasks.md)."];
  return operation.kind === "read" && operation.isTextToo
    ? ["With `Accept: text/plain` it answers with all of it as a text to download."]
    : [];
}

function describeChange({ body, status }: WriteOperation): string[] {
  const answers = {
    200: "It answers 200, with what it has become.",
    201: "It answers 201, with what was made and its address in `Location`.",
    204: "It answers 204, without a body.",
  };
  const inBody = body ? documentedBody(body) : [];
  return [...(inBody.length > 0 ? [bodyTable(inBody)] : []), answers[status]];
}

export function fieldsPage(): string {
  return page("Fields", [
    "Timestamps are ISO 8601, in UTC, with milliseconds. A client has to ignore fields that it does not know.",
    ...resources.flatMap((resource) => [
      `## ${resource.name}`,
      resource.description,
      ...supportedVersions(resource).flatMap((version) => {
        const item = resource.versions.find((one) => one.version === version)?.operations[0]?.item;
        return item ? [`### ${resource.name} v${version}`, fieldTable(documentedFields(item))] : [];
      }),
    ]),
    "## The page around a list",
    fieldTable(documentedEnvelope()),
  ]);
}

export function filtersPage(): string {
  return page("Filters", [
    "A filter is one JSON object, percent-encoded in the parameter `filter`. All of its fields and all of their operators have to hold. A bare value means `$eq`, `{}` is no filter, and an empty `$in` matches nothing.",
    `At most ${filterLimits.bytes} bytes, ${filterLimits.depth} levels, ${filterLimits.conditions} conditions and ${filterLimits.values} values in an \`$in\`.`,
    ...documentedOperations(resources).flatMap((documented) =>
      documented.newest.kind === "list" && Object.keys(documented.newest.filters).length > 0
        ? [
            `## ${documented.newest.id}`,
            table(
              ["Field", "Operators", "Compared", "Meaning"],
              Object.entries(filtersOf(documented)).map(([name, { kind, operators, description }]) => [
                code(name),
                operators.map(code).join(", "),
                comparisons[kind],
                description,
              ]),
            ),
            codeBlock("json", exampleFilter(documented.newest)),
          ]
        : [],
    ),
  ]);
}

export function errorsPage(): string {
  return page("Errors", [
    "Every refusal has a body of this shape. A code never changes its meaning; its first three digits are the HTTP status. The name is what the audit trail gives as the `reason` of a refusal.",
    codeBlock("json", '{ "errors": [{ "error_code": 40402, "error_message": "There is no such task." }] }'),
    "Where a fault is about one part of the request, `field` says which: a JSON pointer (RFC 6901) into the body, such as `/access_control_configuration/0/role_id`, or the name of a query parameter or a header, such as `filter`. So a program needs the code and the field, and never the sentence. Names of more than 200 characters are not repeated.",
    codeBlock(
      "json",
      '{ "errors": [{ "error_code": 42201, "error_message": "The field \\"email\\" has to be an address such as ada@example.org.", "field": "/email" }] }',
    ),
    table(
      ["Code", "Status", "Name", "Meaning"],
      documentedErrors().map(({ name, code: number, status, meaning }) => [
        code(String(number)),
        String(status),
        code(name),
        meaning,
      ]),
    ),
    "What is not HTTP never reaches the service: the runtime refuses it with a bare status, such as 400, or closes the connection. It closes it without an answer for a method that it does not know, such as `FOO` or `get`; known ones that a path does not have, such as `TRACE` or `PROPFIND`, get 405 as above. Send no trailers after a chunked body: such a request gets a bare 400 and is not carried out, unless they arrive so late that it was answered before. After any chunked request the connection is closed, so announce the length of a body where you can.",
  ]);
}

export function permissionsPage(): string {
  const roles = Object.entries(defaultRoles);
  return page("Permissions and roles", [
    "A role is held in an organizational unit and covers that unit and all below it. These roles are always there.",
    table(
      ["Role", "Id, the same everywhere", "What for"],
      roles.map(([name, { id, description }]) => [code(name), code(id), description]),
    ),
    table(
      ["Permission", "Allows to", ...roles.map(([name]) => name)],
      Object.entries(permissions).map(([permission, meaning]) => [
        code(permission),
        meaning,
        ...roles.map(([, role]) => (role.permissions.some((held) => held === permission) ? "yes" : "")),
      ]),
    ),
  ]);
}
