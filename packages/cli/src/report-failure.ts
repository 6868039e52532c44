import { errorMessage } from "@holdfast/api/conventions/error-message";
import { HoldfastError } from "@holdfast/client";
import { NeedsAttention } from "./grammar/needs-attention";
import { visible } from "./terminal/visible";

/** Message and exit code of a command that failed. */
export interface Failure {
  line: string;
  exitCode: 1 | 2 | 3;
}

/** The service could not be asked, or would not answer what was asked. */
export class ServiceUnreachable extends Error {
  override readonly name = "ServiceUnreachable";
}

const usageErrors = ["UsageError", "SettingError"];
/** No answer, a token that is not good, too many requests, and a service or proxy that cannot answer now. */
const unreachableStatuses = [0, 401, 429, 500, 502, 503, 504];

/** Describes a failure in one line; 2 for wrong use, 3 where the service could not be asked, 1 for everything else. */
export async function describeFailure(error: unknown): Promise<Failure> {
  const name = error instanceof Error ? error.name : "";
  if (error instanceof NeedsAttention) return { line: "", exitCode: 1 };
  const message = (await describeForbidden(error)) ?? `${errorMessage(error)}${remedyOf(error)}`;
  return {
    line: `holdfast: ${visible(message.replace(/\s*[\n\r]+\s*/g, " ").trim())}`,
    exitCode: usageErrors.includes(name) ? 2 : isUnreachable(error) ? 3 : 1,
  };
}

/** Names the permission of an operation that the service does not offer; the client, which is small, knows operations alone. */
async function describeForbidden(error: unknown): Promise<string | undefined> {
  const id = forbiddenIn(error);
  if (id === undefined) return undefined;
  const { resources } = await import("@holdfast/api/resources/index");
  const operations = resources.flatMap(({ versions }) => versions.flatMap((version) => version.operations));
  const permission = operations.find((operation) => operation.id === id)?.permission;
  if (permission === undefined || permission === null) return undefined;
  return `This needs the permission ${permission}. Ask an administrator for a role that has it. If yours has it (see: holdfast whoami), the service is older than this command: upgrade it.`;
}

/** The operation that is not offered, also if what is said of it was written into another error. */
function forbiddenIn(error: unknown): string | undefined {
  if (error instanceof HoldfastError && error.forbidden !== undefined) return error.forbidden;
  return error instanceof Error && error.cause !== undefined ? forbiddenIn(error.cause) : undefined;
}

/** True if the service could not be asked at all. */
function isUnreachable(error: unknown): boolean {
  return (
    error instanceof ServiceUnreachable ||
    (error instanceof HoldfastError && unreachableStatuses.includes(error.status))
  );
}

/** Remedy for an error with one of the server's codes, recognised by its fields: to know the classes would mean to load all of it. */
function remedyOf(error: unknown): string {
  if (!(error instanceof Error) || !("failure" in error)) return "";
  return error.failure === "audit_unwritable" ? " See: holdfast audit verify" : " Try again in a moment.";
}
