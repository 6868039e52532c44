import { refuse } from "@holdfast/api/conventions/api-error";
import type { ErrorName } from "@holdfast/api/conventions/error-catalogue";
import { compactVerify, importJWK, type JWK } from "jose";
import { LRUCache } from "lru-cache";
import { type CountUse, createCommitCache } from "../../database/commit-cache";
import type { Database, DataVersion, Queries } from "../../database/database";
import { type Caller, loadCaller, type NoCaller } from "../caller";
import { listSigningKeys } from "./signing-keys";
import { claimedIssuer, readToken, type TokenClaims } from "./token-format";
import { maxTokenLifeMs } from "./token-life";

const clockSkew = 60;
const maxSignatures = 10_000;

export interface TokenChecks {
  database: Database;
  baseUrl: string;
  /** Further addresses of this control plane: tokens issued for them are valid. */
  baseUrlAliases: readonly string[];
  /** Base URLs of other control planes that a lost token can be sent to. */
  siblingRegions: readonly string[];
  clock: () => number;
  countUse: CountUse;
}

/** Gives the caller of a token as of a stamp of the database, or refuses it with 401. */
export type CheckToken = (token: string, dataVersion: DataVersion) => Promise<Caller>;

interface Behind {
  claims: TokenClaims;
  caller: Awaited<ReturnType<typeof loadCaller>>;
}

/**
 * Makes the check of tokens. That a signature is right is remembered for these very bytes, because it cannot become
 * wrong; which keys there are and what the token's row says is read again as soon as anything about access is committed.
 */
export function createTokenCheck({
  database,
  baseUrl,
  baseUrlAliases,
  siblingRegions,
  clock,
  countUse,
}: TokenChecks): CheckToken {
  const ownAddresses = new Set([baseUrl, ...baseUrlAliases]);
  const behindTokens = createCommitCache<Behind>(10_000, countUse);
  const signedTokens = new LRUCache<string, JWK>({ max: maxSignatures });

  async function hasRightSignature(token: string, kid: string): Promise<boolean> {
    const keys = await database.snapshot((db) => listSigningKeys(db, clock()));
    const key = keys.find((candidate) => candidate.kid === kid)?.publicKey;
    if (!key) return false;
    if (signedTokens.get(token)?.x === key.x) return true;
    try {
      await compactVerify(token, await importJWK(key, "EdDSA"), { algorithms: ["EdDSA"] });
    } catch {
      return false;
    }
    signedTokens.set(token, key);
    return true;
  }

  async function lookBehind(token: string): Promise<Behind> {
    const read = readToken(token);
    if (!read || !ownAddresses.has(read.claims.iss) || read.claims.aud !== read.claims.iss)
      throw foreignOrInvalid(token);
    if (!(await hasRightSignature(token, read.kid))) throw invalid();
    const { claims } = read;
    return { claims, caller: await database.snapshot((db) => loadCaller(db, claims.jti)) };
  }

  function foreignOrInvalid(token: string) {
    const issuer = claimedIssuer(token);
    if (issuer === undefined || ownAddresses.has(issuer)) return invalid();
    const sibling = siblingRegions.find((region) => region === issuer);
    const where = sibling ? `Use it at ${sibling}.` : "Use it at the address of the control plane that issued it.";
    return unauthorized("tokenForeign", `This token was issued by another control plane. ${where}`);
  }

  return async (token, dataVersion) => {
    const { claims, caller } = await behindTokens.getOrLoad(dataVersion, token, () => lookBehind(token));
    const now = clock();
    checkTimes(claims, now / 1000);
    return refuseUnlessThere(caller, now);
  };
}

/** Reads who is behind a token whose signature and times were found to be right, or refuses it with 401. */
export async function requireCaller(db: Queries, tokenId: string, now: number): Promise<Caller> {
  return refuseUnlessThere(await loadCaller(db, tokenId), now);
}

function refuseUnlessThere(caller: Caller | NoCaller, now: number): Caller {
  if (caller === "revoked") throw revoked();
  if (caller === "access ended") {
    throw unauthorized(
      "accessEnded",
      "The user of this token is disabled or holds no role. Ask an administrator for access.",
    );
  }
  // Expiry was looked at already, so this one was to be good for a while after it was rotated.
  if (caller.goodUntil !== undefined && caller.goodUntil <= now) throw revoked();
  return caller;
}

function checkTimes({ iat, nbf, exp }: TokenClaims, now: number): void {
  if (exp <= now) throw unauthorized("tokenExpired", "This token has expired. Ask an administrator for a new one.");
  // The clocks of two machines may differ a little.
  if (Math.max(iat, nbf) - clockSkew > now) {
    throw unauthorized("tokenNotYetValid", "This token is not valid yet. Check the clocks of both machines.");
  }
  if (exp - iat > maxTokenLifeMs / 1000) throw invalid();
}

function revoked() {
  return unauthorized("tokenRevoked", "This token was revoked. Ask an administrator for a new one.");
}

function invalid() {
  return unauthorized(
    "tokenInvalid",
    "This token is not a valid one of this control plane, or its key was retired. Check that it was copied whole, or make a new one.",
  );
}

/** A refusal with the WWW-Authenticate header of RFC 6750 for an invalid token. */
function unauthorized(name: ErrorName, message: string) {
  return refuse(name, message, {
    "WWW-Authenticate": `Bearer realm="holdfast", error="invalid_token", error_description="${message}"`,
  });
}
