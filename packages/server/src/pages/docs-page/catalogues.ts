import { defaultRoles, permissions } from "@holdfast/api/conventions/permissions";
import { documentedErrors } from "@holdfast/api/reference/errors";
import { publicPaths } from "@holdfast/api/reference/public-paths";
import { html } from "hono/html";
import { code, codeBlock, type Html, prose, type Section, table } from "./elements";

/** Sections to look up rather than read: errors, permissions and roles, and the paths that need no token. */
export function catalogueSections(): Section[] {
  return [errors(), permissionsAndRoles(), openPaths()];
}

function errors(): Section {
  const rows = documentedErrors().map(({ name, status, code: number, meaning }) => [
    code(String(number)),
    String(status),
    code(name),
    prose(meaning),
  ]);
  return {
    id: "errors",
    title: "Errors",
    body: html`
<p>${prose("Every refusal has the same shape, whatever went wrong. `error_code` never changes its meaning, so let programs read that; `error_message` says what to do, so show it to people. `field` is there where one part of the request is wrong: a JSON pointer into the body, or the name of a parameter or a header. The name is the `reason` of a refusal in the audit trail.")}</p>
${codeBlock('{ "errors": [{ "error_code": 40005, "error_message": "There is no filter on \\"state\\". Filter by …", "field": "filter" }] }')}
${table("Error codes", ["Code", "Status", "Name", "Meaning"], rows)}`,
  };
}

function permissionsAndRoles(): Section {
  const roles = Object.entries(defaultRoles);
  const rows = Object.entries(permissions).map(([permission, meaning]) => [
    code(permission),
    prose(meaning),
    ...roles.map(([, role]) => mark(role.permissions.some((held) => held === permission))),
  ]);
  const headings = ["Permission", "Allows to", ...roles.map(([name]) => name)];
  return {
    id: "permissions",
    title: "Permissions and roles",
    body: html`
<p>A role is held in an organizational unit and covers that unit and all below it. These roles are always there:</p>
<dl class="facts">${roles.map(([name, role]) => html`<dt>${code(name)}</dt><dd>${role.description}</dd>`)}</dl>
${table("Permissions of the default roles", headings, rows)}`,
  };
}

function mark(isHeld: boolean): Html {
  return isHeld ? html`<span class="yes">yes</span>` : html`<span class="no">–</span>`;
}

function openPaths(): Section {
  const rows = publicPaths.map(({ path, summary }) => [code(path), prose(summary)]);
  return {
    id: "open-paths",
    title: "Paths without a token",
    body: table("Paths without a token", ["Path", "What for"], rows),
  };
}
