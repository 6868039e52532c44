import { refuse } from "@holdfast/api/conventions/api-error";
import type { Caller } from "../access/caller";
import type { CheckToken } from "../access/check-token";
import type { Stamp } from "../database/database";

/** Finds out who makes a request. A token counts only in the Authorization header, never in the address. */
export async function authenticate(headers: Headers, stamp: Stamp, checkToken: CheckToken): Promise<Caller> {
  const given = headers.get("authorization") ?? "";
  // No token has a comma in it: this is what two headers look like when they were put together.
  if (given.includes(",")) throw refuse("headerRepeated", "Send the Authorization header once.");
  const token = /^bearer +([^ ]+) *$/i.exec(given)?.[1];
  if (token === undefined) {
    throw refuse("tokenMissing", "Send a token: Authorization: Bearer <token>.", {
      "WWW-Authenticate": 'Bearer realm="holdfast"',
    });
  }
  return checkToken(token, stamp);
}
