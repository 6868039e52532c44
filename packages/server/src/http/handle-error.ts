import { ApiError, refuse } from "@holdfast/api/conventions/api-error";
import { AuditUnwritable } from "../audit/record-event";
import { DatabaseBroken, DatabaseUnavailable, DiskFull } from "../database/errors";
import type { Log } from "../telemetry/log";
import type { Reply } from "./reply";

/** Turns whatever was thrown into a reply. What is not meant for the caller goes to the log, under an incident id. */
export function handleError(error: unknown, requestId: string, log: Log, onBroken: (error: Error) => void): Reply {
  const refusal = error instanceof ApiError ? error : translate(error, requestId, log, onBroken);
  // Who asked, for what and for how long is in the line of the request.
  if (refusal.faults[0].name === "queryTooLong") {
    log.warn("A list was refused because it took too long.", { request_id: requestId });
  }
  return {
    status: refusal.status,
    headers: { "Content-Type": "application/json", ...refusal.headers },
    body: JSON.stringify(refusal.body),
  };
}

function translate(error: unknown, requestId: string, log: Log, onBroken: (error: Error) => void): ApiError {
  const incident = requestId;
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error instanceof DatabaseUnavailable || error instanceof DatabaseBroken) {
    // Without a cause it was known to be unavailable before, and that was logged.
    if (error instanceof DatabaseBroken || error.cause !== undefined) {
      const cause = error.cause instanceof Error ? error.cause.message : undefined;
      const logged = error instanceof DatabaseBroken ? detail : cause;
      log.error("The database failed a request.", { request_id: requestId, error: error.message, detail: logged });
    }
    if (error instanceof DatabaseBroken) onBroken(error);
    const sentence =
      error instanceof AuditUnwritable
        ? "Nothing was done, because the audit trail cannot be written. Ask your administrator to run: holdfast audit verify"
        : error instanceof DiskFull
          ? error.message
          : "The database is not available now. Try again in a moment.";
    return refuse("databaseAway", sentence, { "Retry-After": "1" });
  }
  log.error("A request broke.", { request_id: requestId, incident, detail });
  return refuse("internal", `The service failed. Give your administrator the incident id ${incident}.`);
}
