import { openCurrentKey } from "../../src/access/tokens/signing-keys";
import { tokenHeader } from "../../src/access/tokens/token-format";
import type { Plane } from "../harness";

/** Signs whatever it is given, however wrong. */
export type Sign = (header: string, payload: string) => Promise<string>;

/** Writes a part of a token. */
export function encodePart(text: string | Uint8Array): string {
  return Buffer.from(text).toString("base64url");
}

/** Makes a signer from a key. */
export function createSigner(key: CryptoKey): Sign {
  return async (header, payload) => {
    const signed = `${encodePart(header)}.${encodePart(payload)}`;
    const signature = await crypto.subtle.sign("Ed25519", key, Buffer.from(signed));
    return `${signed}.${encodePart(new Uint8Array(signature))}`;
  };
}

/** The key that a control plane signs with now, stolen: the worst that an attacker can have. */
export async function stealKey({
  database,
  controlPlane,
}: Plane): Promise<{ kid: string; header: string; sign: Sign }> {
  const { kid, privateKey } = await database.snapshot((db) => openCurrentKey(db, controlPlane.sealer));
  if (!(privateKey instanceof CryptoKey)) throw new Error("The signing key is of an unexpected kind.");
  return { kid, header: JSON.stringify(tokenHeader(kid)), sign: createSigner(privateKey) };
}
