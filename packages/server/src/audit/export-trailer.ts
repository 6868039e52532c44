import { parseJson } from "@holdfast/api/conventions/parse-json";
import { CompactSign, compactVerify, importJWK, type JWK } from "jose";
import { z } from "zod";
import { listSigningKeys, openCurrentKey } from "../access/tokens/signing-keys";
import type { Queries } from "../database/database";
import type { Sealer } from "../secrets/seal";
import { Refusal } from "../settings/refusal";

/** Last line of an export: describes the lines before it, and with which key that was signed. */
const trailerContent = z.strictObject({
  count: z.int().nonnegative(),
  first_hash: z.string(),
  last_hash: z.string(),
  exported_timestamp: z.string(),
  base_url: z.string().nullable(),
  public_key: z.looseObject({ kty: z.string(), crv: z.string(), x: z.string(), kid: z.string() }),
});
const trailerLine = z.strictObject({ trailer: trailerContent, signature: z.string() });

export type Trailer = z.infer<typeof trailerContent>;

export const trailerBeginning = '{"trailer":';
/** Unlike a token's, so that neither can pass for the other. */
const signatureType = "audit-trailer";
const algorithm = "EdDSA";

/** Writes the trailer, signed with the key that signs now. */
export async function signTrailer(
  db: Queries,
  sealer: Sealer,
  now: number,
  content: Omit<Trailer, "public_key">,
): Promise<string> {
  const { kid, privateKey } = await openCurrentKey(db, sealer);
  const keys = await listSigningKeys(db, now);
  const publicKey = keys.find((key) => key.kid === kid)?.publicKey;
  const trailer = JSON.stringify({ ...content, public_key: publicKey });
  const signed = await new CompactSign(Buffer.from(trailer))
    .setProtectedHeader({ alg: algorithm, typ: signatureType, kid })
    .sign(privateKey);
  const [header, , signature] = signed.split(".");
  return `${trailerBeginning}${trailer},"signature":"${header}..${signature}"}`;
}

/** Reads a trailer whose signature fits it. Whether its key is one to trust is another question. */
export async function openTrailer(line: string): Promise<Trailer> {
  const altered = new Refusal("The trailer was altered: its signature does not fit it.");
  const parsed = parseJson(line);
  const read = trailerLine.safeParse(parsed).data;
  if (!read || JSON.stringify(parsed) !== line) throw altered;
  const { trailer, signature } = read;
  const [header = "", payload, end = ""] = signature.split(".");
  // The last character of base64 has bits that mean nothing.
  if (payload !== "" || Buffer.from(end, "base64url").toString("base64url") !== end) throw altered;
  const content = Buffer.from(line.slice(trailerBeginning.length, line.lastIndexOf(',"signature":'))).toString(
    "base64url",
  );
  try {
    const key = await importJWK(trailer.public_key, algorithm);
    const { protectedHeader } = await compactVerify(`${header}.${content}.${end}`, key, { algorithms: [algorithm] });
    if (protectedHeader.typ === signatureType && protectedHeader.kid === trailer.public_key.kid) return trailer;
  } catch {
    throw altered;
  }
  throw altered;
}

const keySet = z.object({ keys: z.array(z.looseObject({ kid: z.string(), crv: z.string(), x: z.string() })) });

/** Reads a key set, as /.well-known/jwks.json shows it; nothing where the text is none. */
export function readKeySet(text: string): JWK[] | undefined {
  return keySet.safeParse(parseJson(text)).data?.keys;
}

/** Refuses a trailer that was signed with another key than one of these. */
export function requireTrusted({ public_key }: Trailer, keys: readonly JWK[]): void {
  if (keys.some(({ kid, crv, x }) => kid === public_key.kid && crv === public_key.crv && x === public_key.x)) return;
  throw new Refusal(
    `The export was signed with the key ${JSON.stringify(public_key.kid)}, which is not one of the given keys. Do not trust it.`,
  );
}
