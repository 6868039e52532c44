import { parseJson } from "@holdfast/api/conventions/parse-json";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { parseUuid } from "@holdfast/api/conventions/uuid";
import { z } from "zod";

/** The claims of a token. Rights are not among them: the row behind `jti` decides those, on every request. */
export const tokenClaims = z.strictObject({
  iss: z.string(),
  aud: z.string(),
  sub: z.string().min(1),
  jti: z.string().refine((text) => parseUuid(text) === text),
  iat: z.int().nonnegative(),
  nbf: z.int().nonnegative(),
  exp: z.int().nonnegative(),
  kind: z.enum(["personal", "service"]),
  ou: z.string().refine((text) => parseUuid(text) === text),
});

export type TokenClaims = z.infer<typeof tokenClaims>;

/** A token taken apart, not yet believed. */
export interface ReadToken {
  kid: string;
  claims: TokenClaims;
}

/**
 * The protected header, its fields always in this order: every token begins alike, so that a scanner for leaked secrets can
 * find it. SECURITY.md gives the pattern.
 */
export function tokenHeader(kid: string) {
  return { alg: "EdDSA", typ: "at+jwt", kid } as const;
}

/**
 * Takes a token apart. Gives nothing for one that is not written exactly as we write them: another spelling of the same
 * signature, a second claim of the same name or another header would otherwise pass for the same token.
 */
export function readToken(token: string): ReadToken | undefined {
  if (token.length > textLimits.secret) return undefined;
  const [header, payload, signature, ...rest] = token.split(".");
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) return undefined;
  const headerText = decodeCanonical(header);
  const payloadText = decodeCanonical(payload);
  if (headerText === undefined || payloadText === undefined || decodeCanonical(signature, "latin1")?.length !== 64) {
    return undefined;
  }
  const kid = /^\{"alg":"EdDSA","typ":"at\+jwt","kid":"(hf-[A-Za-z0-9_-]{1,40})"\}$/.exec(headerText)?.[1];
  const claims = tokenClaims.safeParse(parseJson(payloadText));
  if (kid === undefined || !claims.success || JSON.stringify(claims.data) !== payloadText) return undefined;
  return { kid, claims: claims.data };
}

/** The issuer that a token claims, unverified: only for naming the right control plane in a refusal. */
export function claimedIssuer(token: string): string | undefined {
  if (token.length > textLimits.secret) return undefined;
  const payload = parseJson(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  const issuer = z.object({ iss: z.string() }).safeParse(payload);
  return issuer.data?.iss;
}

function decodeCanonical(part: string, encoding: "utf8" | "latin1" = "utf8"): string | undefined {
  const bytes = Buffer.from(part, "base64url");
  return bytes.toString("base64url") === part ? bytes.toString(encoding) : undefined;
}
