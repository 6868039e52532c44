import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expiryNotice } from "@holdfast/api/resources/token-expiry";
import { readTokenClaims } from "../token-claims";

const day = 86_400_000;

/**
 * Warns that the token of a run expires soon or has expired, once a day: a file in the folder of the spool says on which day that
 * was last said. The run that creates it warns, so that of several runs at the same time one does.
 */
export function warnOfExpiry(token: string, folder: string, warn: (message: string) => void, now = Date.now()): void {
  const claims = readTokenClaims(token);
  if (!claims || expiryNotice(claims, now) === undefined) return;
  const days = Math.ceil((claims.expiresAt - now) / day);
  if (!isFirstOfDay(folder, claims.id, now)) return;
  warn(
    `The token expires in ${days} ${days === 1 ? "day" : "days"}, on ${new Date(claims.expiresAt).toISOString().slice(0, 10)}. ${adviceFor(claims.kind)}`,
  );
}

function adviceFor(kind: string): string {
  return kind === "service"
    ? "Renew it with holdfast token renew, or run with --renew."
    : "Create a new one in the console.";
}

function isFirstOfDay(folder: string, id: string, now: number): boolean {
  const prefix = `expiry-notice-${id}-`;
  const name = `${prefix}${new Date(now).toISOString().slice(0, 10)}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(join(folder, name), "wx", 0o600));
    for (const other of readdirSync(folder)) {
      if (other.startsWith(prefix) && other !== name) rmSync(join(folder, other), { force: true });
    }
    return true;
  } catch (error) {
    // It was said today; or the folder cannot be written to, and then it is said each time.
    return !(error instanceof Error && "code" in error && error.code === "EEXIST");
  }
}
