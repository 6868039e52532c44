import { documentedErrors } from "../reference/errors";
import { errorRef } from "./schemas";

/** Headers of responses, by the name under which they stand in the document. */
export const responseHeaders = {
  "X-Request-Id": text("The id of this request; the log has it too. Quote it when you ask for help."),
  Location: text("Where what was made can be read."),
  ETag: text("Names this very answer; send it back in If-None-Match."),
  RateLimit: text("What is left of the caller's rate limit, and when it fills up again."),
  "RateLimit-Policy": text("The rate limit of the caller: of a person with all tokens and sessions, or of a service."),
  "Retry-After": text("How many seconds to wait before trying again."),
  "WWW-Authenticate": text("The scheme to authenticate with, and what was wrong with the token."),
};

type HeaderName = keyof typeof responseHeaders;

const everyAnswer: HeaderName[] = ["X-Request-Id"];
const countedAnswer: HeaderName[] = ["X-Request-Id", "RateLimit", "RateLimit-Policy"];
const cachedAnswer: HeaderName[] = [...countedAnswer, "ETag"];

const errorHeaders: Partial<Record<number, HeaderName[]>> = {
  401: [...everyAnswer, "WWW-Authenticate"],
  403: countedAnswer,
  404: countedAnswer,
  406: countedAnswer,
  429: [...countedAnswer, "Retry-After"],
  503: [...everyAnswer, "Retry-After"],
};

/** Statuses of any request that cannot be read, whatever it asks for. */
export const unreadableStatuses = [400, 413, 414, 431, 500];

/** Statuses of requests that need authentication. */
export const operationStatuses = [...unreadableStatuses, 401, 403, 406, 429, 503];

/** Further statuses with which a change can fail. */
export const changeStatuses = [409, 415, 422];

/** Refs to the given headers, as a response lists them. */
export function headerRefs(names: readonly HeaderName[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** One response for each error status, with the codes that it can carry. */
export function errorResponses(): object {
  const byStatus = Map.groupBy(documentedErrors(), ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => [
      `error_${status}`,
      {
        description: errors.map(({ code, meaning }) => `- \`${code}\`: ${meaning}`).join("\n"),
        headers: headerRefs(errorHeaders[status] ?? everyAnswer),
        content: { "application/json": { schema: errorRef } },
      },
    ]),
  );
}

/** Refs to the error responses of the given statuses. */
export function errorResponseRefs(statuses: readonly number[]): object {
  const refs = statuses.map((status) => [status, { $ref: `#/components/responses/error_${status}` }]);
  return Object.fromEntries(refs);
}

/** The answers of an operation that went well: the body in each of its media types, or nothing new. */
export function goodResponses(description: string, content: object): object {
  return {
    200: { description, headers: headerRefs(cachedAnswer), content },
    304: { description: "Nothing has changed since the ETag that was sent.", headers: headerRefs(cachedAnswer) },
  };
}

/** Further response of an operation whose result can be downloaded as text. */
export const textContent = { "text/plain": { schema: { type: "string" } } };

/** The answer of a stream. It is never the same twice, so it has no ETag. */
export function streamResponse(): object {
  const description =
    "Events for as long as both sides like: `snapshot`, `match`, `task`, `gone`, `reset`, `end`. The data of each is JSON.";
  const content = { "text/event-stream": { schema: { type: "string" } } };
  return { 200: { description, headers: headerRefs(countedAnswer), content } };
}

/** The answer of a change that was made. */
export function doneResponse(status: 200 | 201 | 204, content: object): object {
  if (status === 204) return { 204: { description: "It was done.", headers: headerRefs(countedAnswer) } };
  const headers = headerRefs(status === 201 ? [...cachedAnswer, "Location"] : cachedAnswer);
  return { [status]: { description: "It was done; this is what it has become.", headers, content } };
}

/** The answer of a report that was written. It is not to be kept, so it has no ETag. */
export function reportedResponse(status: 200 | 201, content: object): object {
  const written = { description: "It was written.", headers: headerRefs(countedAnswer), content };
  if (status === 200) return { 200: written };
  return {
    200: { ...written, description: "It had been written before, and nothing was changed." },
    201: { ...written, headers: headerRefs([...countedAnswer, "Location"]) },
  };
}

function text(description: string) {
  return { description, schema: { type: "string" } };
}
