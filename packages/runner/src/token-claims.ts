/** Claims that a runner reads from its own token, without asking the service. */
export interface OwnTokenClaims {
  id: string;
  kind: string;
  /** Milliseconds. */
  createdAt: number;
  expiresAt: number;
}

/** Reads the claims of a token; undefined for what is none of Holdfast. Nothing is verified: the token is our own. */
export function readTokenClaims(token: string): OwnTokenClaims | undefined {
  try {
    const claims: Record<string, unknown> = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    const { jti, kind, iat, exp } = claims;
    if (typeof jti !== "string" || typeof kind !== "string") return undefined;
    if (!/^[0-9a-f-]{36}$/.test(jti) || typeof iat !== "number" || typeof exp !== "number") return undefined;
    return { id: jti, kind, createdAt: iat * 1000, expiresAt: exp * 1000 };
  } catch {
    return undefined;
  }
}
