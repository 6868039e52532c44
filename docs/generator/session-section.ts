import { documentedBody, documentedFields } from "@holdfast/api/reference/fields";
import { refusalsOf, type SessionPath, sessionPaths, sessionView } from "@holdfast/api/session/session-paths";
import { bodyTable, fieldTable } from "./field-tables";
import { code, table } from "./markdown";

/** The paths that people use who sign in, in the order in which they are declared. */
export function sessionSection(): string[] {
  return [
    "## Paths for people who sign in",
    "A session is a cookie; a token is of no use here. With a session, everything but GET needs its `csrf_token` in the header `X-CSRF-Token`. Beside the errors of each path, a request that cannot be read answers 400, 413, 414 or 431, and a link that was used, has expired or does not exist, 400. A browser that opens such a link gets a page from `GET /invitation` or `GET /first-owner`, which sends the rest.",
    ...sessionPaths.flatMap(describeSessionPath),
    "### The session",
    "The answer to signing in, to following a link, and to `GET /session`.",
    fieldTable(documentedFields(sessionView)),
  ];
}

function describeSessionPath(path: SessionPath): string[] {
  const { id, method, path: address, summary, body, needsSession, parameters = {} } = path;
  const inQuery = Object.entries(parameters).map(([name, { description = "" }]) => [code(name), description]);
  return [
    `### ${id}`,
    `\`${method.toUpperCase()} ${address}\``,
    `${summary}${needsSession ? " It needs a session." : ""}`,
    ...(inQuery.length > 0 ? [table(["Query parameter", "Meaning"], inQuery)] : []),
    ...(body ? [bodyTable(documentedBody(body))] : []),
    `${answerInWords(path)} Refusals: ${refusalsOf(path).join(", ")}.`,
    ...describeAnswer(path),
  ];
}

function answerInWords({ status, answer }: SessionPath): string {
  if (status === 303) return "It answers 303, which sends the browser on.";
  if (!answer) return `It answers ${status}, without a body.`;
  return answer === sessionView ? `It answers ${status}, with [the session](#the-session).` : `It answers ${status}.`;
}

function describeAnswer({ answer }: SessionPath): string[] {
  if (!answer || answer === sessionView) return [];
  return [fieldTable(documentedFields(answer), "Field of the answer")];
}
