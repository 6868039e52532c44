import { documentedFields } from "@holdfast/api/reference/fields";
import { refusalsOf, type SessionPath, sessionPaths, sessionView } from "@holdfast/api/session/session-paths";
import { html } from "hono/html";
import { code, type Html, prose, type Section, table } from "./elements";
import { bodyFields } from "./operations";

/** Where the table of contents leads to for each of the paths. */
export const sessionEntries: readonly Pick<Section, "id" | "title">[] = sessionPaths.map(({ id }) => ({
  id: anchorOf(id),
  title: id,
}));

/** The paths for people who sign in, which stand outside the resources. */
export function sessionSection(): Section {
  return {
    id: "sessions",
    title: "Paths for people who sign in",
    body: html`
<p>${prose("A session is a cookie; a token is of no use here. With a session, everything but GET needs its `csrf_token` in the header `X-CSRF-Token`.")}</p>
${sessionPaths.map(pathArticle)}
<h3>The session</h3>
${answerFields("Fields of the session", sessionView)}`,
  };
}

function pathArticle(declared: SessionPath): Html {
  const { id, method, path, summary, needsSession, body, answer, parameters = {} } = declared;
  const inQuery = Object.entries(parameters).map(([name, { description = "" }]) => [code(name), prose(description)]);
  return html`
<article class="operation" id="${anchorOf(id)}">
<h3><span class="method">${method}</span> <code>${path}</code> <span class="id">${id}</span></h3>
<p>${prose(summary)}</p>
<dl class="facts">
<dt>Session</dt><dd>${needsSession ? "needed" : "not needed"}</dd>
<dt>Answers</dt><dd>${answerInWords(declared)}</dd>
<dt>Refusals</dt><dd>${refusalsOf(declared).join(", ")}</dd>
</dl>
${inQuery.length > 0 ? html`<h4>Query</h4>${table(`Query parameters of ${id}`, ["Parameter", "Meaning"], inQuery)}` : ""}
${body ? html`<h4>Body</h4>${bodyFields(id, body)}` : ""}
${answer && answer !== sessionView ? html`<h4>Answer</h4>${answerFields(`Answer of ${id}`, answer)}` : ""}
</article>`;
}

function answerInWords({ status, answer }: SessionPath): string {
  return answer === sessionView ? `${status}, with the session` : String(status);
}

function answerFields(name: string, answer: Parameters<typeof documentedFields>[0]): Html {
  const rows = documentedFields(answer).map((field) => [code(field.name), field.type, prose(field.description)]);
  return table(name, ["Field", "Type", "Meaning"], rows);
}

function anchorOf(id: string): string {
  return `session-${id}`;
}
