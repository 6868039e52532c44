import { createHmac, createPublicKey } from "node:crypto";
import { exportJWK, generateKeyPair } from "jose";
import type { Plane } from "../harness";
import { createSigner, encodePart, stealKey } from "./sign-token";

/** A token that must not be accepted, and what is wrong with it. */
export interface Forgery {
  name: string;
  token: string;
}

/** Forges tokens in all the ways that are known to have worked somewhere, for a caller that exists and may do everything. */
export async function forgeTokens(plane: Plane): Promise<Forgery[]> {
  const { token: genuine } = await plane.serviceToken("owner");
  const other = await plane.serviceToken("viewer");
  const [header = "", payload = "", signature = ""] = genuine.split(".");
  const [, , otherSignature = ""] = other.token.split(".");
  const claims = Buffer.from(payload, "base64url").toString();
  const stolen = await stealKey(plane);
  const { kid } = stolen;
  const { privateKey, publicKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const attack = createSigner(privateKey);
  const attackerKey = await exportJWK(publicKey);
  const [genuineKey] = (await plane.ask("/.well-known/jwks.json")).body.keys;
  const pem = createPublicKey({ key: genuineKey, format: "jwk" }).export({ type: "spki", format: "pem" }).toString();

  const withHeader = (fields: object) => JSON.stringify(fields);
  const normal = { alg: "EdDSA", typ: "at+jwt", kid };
  const hmac = (alg: string, key: string | Uint8Array) => {
    const signed = `${encodePart(withHeader({ ...normal, alg }))}.${payload}`;
    return `${signed}.${createHmac(`sha${alg.slice(2)}`, key)
      .update(signed)
      .digest("base64url")}`;
  };
  const unsigned = (alg: unknown, end: string) => `${encodePart(withHeader({ ...normal, alg }))}.${payload}.${end}`;
  const genuinelySigned = async (name: string, fields: object): Promise<Forgery> => ({
    name: `signed with the real key, but ${name}`,
    token: await stolen.sign(withHeader(fields), claims),
  });
  const attacker = async (name: string, fields: object): Promise<Forgery> => ({
    name: `signed by the attacker, ${name}`,
    token: await attack(withHeader(fields), claims),
  });

  const publicKeys: [string, string | Uint8Array][] = [
    ["the public key as PEM", pem],
    ["the public key as PEM without its last newline", pem.trimEnd()],
    ["the public key as PEM with a newline before it", `\n${pem}`],
    ["the public key as JWK text", JSON.stringify(genuineKey)],
    ["the public key's bytes", Buffer.from(genuineKey.x, "base64url")],
    ["the public key's x", genuineKey.x],
    ["nothing", ""],
    ["the kid", kid],
    ["a well-known word", "secret"],
  ];
  const nones = ["none", "None", "NONE", "nOnE", "", null, 0];
  const kids = [
    "../../../../dev/null",
    "/dev/null",
    "' OR 1=1 --",
    "x' UNION SELECT public_key FROM signing_keys --",
    "hf-AAAAAAAAAAAA",
    `${kid}\0`,
    "",
    "hf-".padEnd(500, "A"),
    [kid],
    { kid },
    0,
    null,
  ];
  const wrongTypes = ["JWT", "at+JWT", "application/at+jwt", "cursor", "", null, ["at+jwt"]];

  return [
    ...["HS256", "HS384", "HS512"].flatMap((alg) =>
      publicKeys.map(([what, key]) => ({ name: `${alg} with ${what} as the key`, token: hmac(alg, key) })),
    ),
    ...nones.flatMap((alg) => [
      { name: `alg ${JSON.stringify(alg)}, no signature`, token: unsigned(alg, "") },
      { name: `alg ${JSON.stringify(alg)}, the signature of the real one`, token: unsigned(alg, signature) },
    ]),
    ...(await Promise.all([
      attacker("right kid", normal),
      attacker("no kid", { alg: "EdDSA", typ: "at+jwt" }),
      attacker("its key in the header", { ...normal, jwk: attackerKey }),
      attacker("the address of its keys", { ...normal, jku: "http://203.0.113.9/jwks.json" }),
      attacker("the address of its certificate", { ...normal, x5u: "http://203.0.113.9/cert.pem" }),
      attacker("its certificate", { ...normal, x5c: [encodePart("certificate")] }),
      attacker("a file as the address of its keys", { ...normal, jku: "file:///etc/passwd" }),
      ...kids.map((one) => attacker(`kid ${JSON.stringify(one).slice(0, 60)}`, { ...normal, kid: one })),
      ...wrongTypes.map((typ) => genuinelySigned(`typ ${JSON.stringify(typ)}`, { ...normal, typ })),
      ...["Ed25519", "eddsa", "ES256", "RS256", ["EdDSA"]].map((alg) =>
        genuinelySigned(`alg ${JSON.stringify(alg)}`, { ...normal, alg }),
      ),
      genuinelySigned("without typ", { alg: "EdDSA", kid }),
      genuinelySigned("unknown crit", { ...normal, crit: ["x"], x: 1 }),
      genuinelySigned("empty crit", { ...normal, crit: [] }),
      genuinelySigned("b64 false", { ...normal, b64: false, crit: ["b64"] }),
      genuinelySigned("compressed", { ...normal, zip: "DEF" }),
      genuinelySigned("nested", { ...normal, cty: "JWT" }),
      genuinelySigned("an unknown kid", { ...normal, kid: "hf-AAAAAAAAAAAA" }),
      genuinelySigned("header fields in another order", { typ: "at+jwt", alg: "EdDSA", kid }),
    ])),
    { name: "white space in the header", token: await stolen.sign(JSON.stringify(normal, null, 1), claims) },
    {
      name: "alg twice in the header",
      token: await stolen.sign(`{"alg":"none","alg":"EdDSA","typ":"at+jwt","kid":"${kid}"}`, claims),
    },
    { name: "the signature of another token", token: `${header}.${payload}.${otherSignature}` },
    { name: "no signature", token: `${header}.${payload}.` },
    { name: "a signature of zeros", token: `${header}.${payload}.${encodePart(new Uint8Array(64))}` },
    { name: "a signature cut short", token: `${header}.${payload}.${signature.slice(0, -4)}` },
    { name: "a signature with more behind it", token: `${header}.${payload}.${signature}AAAA` },
    { name: "claims of another", token: `${header}.${encodePart(claims.replace("service", "personal"))}.${signature}` },
    { name: "an empty payload", token: `${header}..${signature}` },
    { name: "an empty header", token: `.${payload}.${signature}` },
    { name: "no dot", token: genuine.replaceAll(".", "") },
    { name: "one dot", token: `${header}.${payload}` },
    { name: "four parts", token: `${genuine}.AAAA` },
    { name: "five parts, as an encrypted token has", token: `${header}.AAAA.${payload}.AAAA.${signature}` },
    { name: "only dots", token: ".." },
    { name: "padding", token: `${header}=.${payload}=.${signature}=` },
    {
      name: "the header in ordinary base64",
      token: `${Buffer.from(withHeader(normal)).toString("base64")}==.${payload}.x`,
    },
    { name: "very long", token: `${genuine}${"A".repeat(20_000)}` },
    { name: "percent-encoded", token: genuine.replaceAll(".", "%2e") },
  ];
}
