import { errorMessage } from "@holdfast/api/conventions/error-message";
import { DatabaseError } from "pg";
import { SettingError } from "../../settings/settings";
import { DatabaseUnavailable, DiskFull, UnusableDatabase, type WriteFailure } from "../errors";
import { withoutPassword } from "./url";

/** SQLSTATE codes, or how they begin, that mean: not now. The longest one that fits holds. */
const away: Record<string, string> = {
  "08": "The connection to the database was lost.",
  "28": "The database refuses the login.",
  "3D": "The database is not there.",
  "53": "The database has run out of memory or of something else.",
  "57P": "The database is shutting down or starting.",
  "58": "The database cannot use its disk.",
  "57014": "The database took too long.",
  "55P03": "The database took too long.",
  "25P0": "The database took too long.",
  "25006": "The database can only be read at the moment.",
  "40": "Others were changing the same.",
};

/** Failures that these are counted as on a write; all others as a database that is away. */
const failures: Record<string, WriteFailure> = {
  "58": "io_error",
  "57014": "statement_timeout",
  "25P0": "statement_timeout",
  "55P03": "lock_timeout",
  "40": "conflict",
};

/** Maps an error of PostgreSQL to ours. Other errors are returned unchanged. */
export function translateRefusal(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const code = error.code ?? "";
  if (code === "53100") return new DiskFull(error);
  const fitting = Object.keys(away).filter((start) => code.startsWith(start));
  const [maxLength = ""] = fitting.toSorted((a, b) => b.length - a.length);
  const meaning =
    code === "53300"
      ? `PostgreSQL has no connection left (${error.message}). Raise max_connections, or lower database_connections.`
      : away[maxLength];
  if (meaning === undefined) return error;
  return new DatabaseUnavailable(meaning, { cause: error, failure: failures[maxLength] ?? "database_away" });
}

/** Translates an error of the driver where it is not a refusal by PostgreSQL but the way to it that failed. */
export function translateLostConnection(error: unknown): unknown {
  return isLostConnection(error) ? new DatabaseUnavailable("The database does not answer.", { cause: error }) : error;
}

/** The message to an operator when the database at an address cannot be opened. */
export function explainToOperator(error: unknown, url: string): unknown {
  const refusal = error instanceof UnusableDatabase ? error.cause : error;
  const code = refusal instanceof DatabaseError ? (refusal.code ?? "") : "";
  const place = withoutPassword(url);
  const reason = causeOf(refusal ?? error);
  if (code.startsWith("28") || /\bSASL\b/.test(reason)) {
    return new UnusableDatabase(
      `The database at ${place} refuses the login (${reason}). Correct the user and the password in database_url.`,
      { cause: error },
    );
  }
  if (code === "3D000") {
    return new UnusableDatabase(
      `There is no such database at ${place} (${reason}). Make it with createdb --encoding UTF8 --template template0, or correct database_url.`,
      { cause: error },
    );
  }
  if (code === "42501") {
    return new UnusableDatabase(
      `The user of the database at ${place} may not make tables (${reason}). Make that user the owner of the database.`,
      { cause: error },
    );
  }
  const certificate = explainEncryption(refusal);
  if (certificate !== undefined) return new UnusableDatabase(certificate, { cause: error });
  const isLost = error instanceof DatabaseUnavailable ? error.cause !== undefined : isLostConnection(error);
  if (isLost) {
    return new UnusableDatabase(
      `The database at ${place} does not answer (${reason}). Start it, or correct database_url.`,
      { cause: error },
    );
  }
  return translateRefusal(error);
}

/** Explains a failed attempt to encrypt the connection; nothing where something else has failed. */
function explainEncryption(error: unknown): string | undefined {
  if (!(error instanceof Error) || isUnderstood(error)) return undefined;
  if (error.message.includes("does not support SSL")) {
    return "The server does not take encrypted connections. Turn ssl on in its postgresql.conf, or leave sslmode out of the address.";
  }
  const code = "code" in error ? String(error.code) : "";
  if (!/certificate|altnames/i.test(error.message) && !/CERT/.test(code)) return undefined;
  return `The certificate of the database is not accepted (${error.message.replace(/\.$/, "")}). Name its authority with sslrootcert, and the server by a name that stands in the certificate.`;
}

/** Why the database cannot be used now, for the log: in words of ours or of the server's, not in the driver's. */
export function reasonOf(error: unknown): string {
  const origin = error instanceof DatabaseUnavailable && error.cause !== undefined ? error.cause : error;
  if (origin instanceof DatabaseError) {
    const meaning = translateRefusal(origin);
    if (!(meaning instanceof DatabaseUnavailable)) return origin.message;
    return meaning.message.includes(origin.message) ? meaning.message : `${meaning.message} (${origin.message})`;
  }
  const encryption = explainEncryption(origin);
  if (encryption !== undefined) return encryption;
  if (!(origin instanceof Error)) return String(origin);
  const { code, address, port, hostname } = { code: "", address: "", port: "", hostname: "", ...origin };
  if (code === "ECONNREFUSED")
    return address === "" ? "Nothing listens there." : `Nothing listens at ${address}:${port}.`;
  if (code === "ENOTFOUND") return `There is no host ${hostname}.`;
  return isLostConnection(origin) ? "The database does not answer." : origin.message;
}

/** Cause in their words. */
function causeOf(error: unknown): string {
  return errorMessage(error instanceof DatabaseUnavailable && error.cause !== undefined ? error.cause : error);
}

/** True if the same might succeed if it were tried again at once: two changes got into each other's way. */
export function isCollision(error: unknown): boolean {
  return ["40001", "40P01"].includes(codeOf(error));
}

/** Returns true if there is such a row already, which another transaction may have added at the same time. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === "23505";
}

/** True if another transaction holds the lock. */
export function isLocked(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "55P03";
}

/** True if the server refused because it is not the primary any more. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === "25006";
}

/** The code that the server gave, also from a DatabaseUnavailable that wraps it. */
function codeOf(error: unknown): string {
  const origin = error instanceof DatabaseUnavailable ? error.cause : error;
  return origin instanceof DatabaseError ? (origin.code ?? "") : "";
}

/** True if a connection can go on being used after an error: then the server has merely refused a statement. */
export function isHarmless(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === "ERROR";
}

/** The driver reports lost connections by message, the network by code. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error) || isUnderstood(error)) return false;
  if ("code" in error && typeof error.code === "string" && /^(E[A-Z]+|ERR_SOCKET.*|ERR_STREAM.*)$/.test(error.code))
    return true;
  return /connection|timeout|timed out|not queryable|socket/i.test(error.message);
}

function isUnderstood(error: Error): boolean {
  return [DatabaseError, DatabaseUnavailable, UnusableDatabase, SettingError].some((known) => error instanceof known);
}
