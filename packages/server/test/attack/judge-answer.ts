import { insides, refusalEnvelope } from "../error-envelope";
import type { RawAnswer } from "./raw-client";
import type { Draft } from "./valid-request";

/** Fault of an answer; undefined if it has none. */
export function faultOf({ operation, method, path }: Draft, { status, headers, text }: RawAnswer): string | undefined {
  if (typeof status === "string") return status;
  if (status >= 500) return "5xx";
  const type = headers.get("content-type") ?? "";
  const refused = status < 400 ? undefined : refusalFault(method, status, type, text);
  if (refused !== undefined) return refused;
  // A method of another operation, or a path that is another one: then another operation has answered.
  if (method !== operation.method || path !== operation.path) return undefined;
  const declared = operation.responses.get(status);
  if (!declared) return "undeclared status";
  if (status >= 400) return undefined;
  if (status === 204 || status === 303 || status === 304) return text === "" ? undefined : "a body where there is none";
  if (!declared.some((media) => media === type || type.startsWith(`${media};`))) return "undeclared media type";
  return /json/.test(type) && !isJson(text) ? "no JSON" : undefined;
}

function refusalFault(method: string, status: number, type: string, text: string): string | undefined {
  if (type !== "application/json") return "no envelope: media type";
  if (method === "HEAD") return undefined;
  if (!isJson(text)) return "no envelope: no JSON";
  const { data } = refusalEnvelope.safeParse(JSON.parse(text));
  if (!data) return "no envelope: shape";
  if (data.errors.some(({ error_code }) => Math.floor(error_code / 100) !== status)) return "no envelope: code";
  return insides.test(text) ? "shows the inside" : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
