import { DatabaseError } from "pg";
import { DatabaseAway } from "./errors";

/** SQLSTATE codes, or their first two characters, that mean: not now. */
const away: Record<string, string> = {
  "08": "The connection to the database was lost.",
  "53": "The database has run out of room or of connections.",
  "57P": "The database is shutting down or starting.",
  "57014": "The database took too long.",
  "55P03": "The database took too long.",
  "25006": "The database can only be read at the moment.",
  "40": "Others were changing the same.",
};

/** What an error of PostgreSQL, or of the way to it, means for whoever asked. */
export function translatePostgresError(error: unknown): unknown {
  if (error instanceof DatabaseError) {
    const code = error.code ?? "";
    const meaning = Object.entries(away).find(([start]) => code.startsWith(start))?.[1];
    return meaning === undefined ? error : new DatabaseAway(meaning, { cause: error });
  }
  return isConnectionFailure(error) ? new DatabaseAway("The database does not answer.", { cause: error }) : error;
}

/** Whether the same might succeed if it were tried again at once: two changes got into each other's way. */
export function isCollision(error: unknown): boolean {
  return ["40001", "40P01"].includes(codeOf(error));
}

/** Whether the server refused because it is not the primary any more. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === "25006";
}

/** The code that the server gave, also where somebody has said already that the database is away. */
function codeOf(error: unknown): string {
  const origin = error instanceof DatabaseAway ? error.cause : error;
  return origin instanceof DatabaseError ? (origin.code ?? "") : "";
}

/** Whether a connection can go on being used after an error: then the server has merely refused a statement. */
export function isHarmless(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === "ERROR";
}

/** The driver tells of lost connections in its own words, and the network by a code. */
function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string" && /^(E[A-Z]+|ERR_SOCKET.*|ERR_STREAM.*)$/.test(error.code))
    return true;
  return /connection|timeout|timed out|not queryable|socket/i.test(error.message);
}
