import { connect } from "@holdfast/client";
import { readTokenClaims } from "../token-claims";
import { prepareTokenFile, RenewalUnderWay, readTokenFile } from "../token-file";

export interface RenewalParts {
  token: string;
  /** Undefined if the token is not from a file: then it cannot be kept. */
  tokenFile: string | undefined;
  url: string | undefined;
  warn: (message: string) => void;
  signal: AbortSignal;
  now?: number;
}

/** A token is renewed when less than this part of its life is left: early enough for several attempts. */
const renewedBelow = 1 / 3;

/** Renews the token of a run when its end comes near, and puts the new one into its file. Never fails a run. */
export async function renewWhenDue({ token, tokenFile, url, warn, signal, now = Date.now() }: RenewalParts) {
  const claims = readTokenClaims(token);
  if (!claims || claims.expiresAt - now > (claims.expiresAt - claims.createdAt) * renewedBelow) return;
  if (claims.kind !== "service") return warn("--renew is for service tokens. Create a new token in the console.");
  if (tokenFile === undefined) return warn("--renew needs --token-file: a new token has to be kept somewhere.");
  try {
    const replacement = prepareTokenFile(tokenFile);
    try {
      // Another run has renewed it meanwhile.
      if (readTokenFile(tokenFile) !== token) return replacement.discard();
      const renewed = await connect({ token, baseUrl: url, retries: 1 }).apiTokens.renew({}, { signal });
      if (renewed.token === undefined) throw new Error("The answer has no token.");
      replacement.commit(renewed.token);
      warn(`The token is renewed until ${renewed.expires_timestamp.slice(0, 10)}, in ${tokenFile}.`);
    } catch (error) {
      replacement.discard();
      throw error;
    }
  } catch (error) {
    if (error instanceof RenewalUnderWay) return;
    warn(`The token could not be renewed: ${error instanceof Error ? error.message : error}`);
  }
}
