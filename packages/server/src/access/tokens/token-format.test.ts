import { expect, test } from "bun:test";
import fc from "fast-check";
import { tokenPattern } from "../../../test/token-pattern";
import { claimedIssuer, readToken, type TokenClaims, tokenHeader } from "./token-format";

const claims: TokenClaims = {
  iss: "http://holdfast.test",
  aud: "http://holdfast.test",
  sub: "someone",
  jti: "11111111-1111-4111-8111-111111111111",
  iat: 1,
  nbf: 1,
  exp: 2,
  kind: "service",
  ou: "00000000-0000-0000-0000-000000000000",
};
const signature = Buffer.alloc(64, 7).toString("base64url");

function write(header: string, payload: string, signed = signature): string {
  return `${Buffer.from(header).toString("base64url")}.${Buffer.from(payload).toString("base64url")}.${signed}`;
}

const header = JSON.stringify(tokenHeader("hf-abcdefghijkl"));

test("a token that is written as we write them is taken apart", () => {
  expect(readToken(write(header, JSON.stringify(claims)))).toEqual({ kid: "hf-abcdefghijkl", claims });
});

test("T2 a claim that is missing, repeated, added, of another type or in another place makes it no token", () => {
  const json = JSON.stringify(claims);
  const without = Object.keys(claims).map((name) => JSON.stringify({ ...claims, [name]: undefined }));
  const payloads = [
    ...without,
    JSON.stringify({ ...claims, admin: true }),
    JSON.stringify(Object.fromEntries(Object.entries(claims).reverse())),
    json.replace('"iat":1', '"iat":1,"iat":1'),
    json.replace('"iat":1', '"iat":1.5'),
    json.replace('"iat":1', '"iat":1.0'),
    json.replace('"iat":1', '"iat":"1"'),
    json.replace('"iat":1', '"iat":-1'),
    json.replace('"exp":2', '"exp":1e400'),
    json.replace('"exp":2', '"exp":9007199254740993'),
    json.replace('"kind":"service"', '"kind":"root"'),
    json.replace('"sub":"someone"', '"sub":""'),
    json.replace(claims.jti, claims.jti.replace("1", "A")),
    ` ${json}`,
    `[${json}]`,
    "null",
    "",
  ];
  expect(payloads.map((payload) => readToken(write(header, payload)))).toEqual(payloads.map(() => undefined));
});

test("T1 a header with anything but our one algorithm, type and kind of key makes it no token", () => {
  const headers = [
    '{"alg":"none","typ":"at+jwt","kid":"hf-a"}',
    '{"alg":"HS256","typ":"at+jwt","kid":"hf-a"}',
    '{"typ":"at+jwt","alg":"EdDSA","kid":"hf-a"}',
    '{"alg":"EdDSA","typ":"JWT","kid":"hf-a"}',
    '{"alg":"EdDSA","typ":"at+jwt"}',
    '{"alg":"EdDSA","typ":"at+jwt","kid":"../../key"}',
    '{"alg":"EdDSA","typ":"at+jwt","kid":["hf-a"]}',
    '{"alg":"EdDSA","typ":"at+jwt","kid":"hf-a","crit":["b64"],"b64":false}',
    '{"alg":"EdDSA","typ":"at+jwt","kid":"hf-a","jwk":{}}',
  ];
  expect(headers.map((one) => readToken(write(one, JSON.stringify(claims))))).toEqual(headers.map(() => undefined));
});

test("T5 of all spellings of the same signature only the canonical one is a token", () => {
  const token = write(header, JSON.stringify(claims));
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"];
  const sameBytes = letters
    .map((letter) => token.slice(0, -1) + letter)
    .filter((text) => Buffer.from(text.split(".")[2] ?? "", "base64url").equals(Buffer.alloc(64, 7)));
  expect(sameBytes.length).toBe(16);
  expect(sameBytes.filter((text) => readToken(text) !== undefined)).toEqual([token]);
  const others = [`${token}=`, `${token} `, `${token}.`, token.slice(0, -1), `${token}AA`];
  expect(others.filter((text) => readToken(text) !== undefined)).toEqual([]);
});

test("T2 a token over the longest length is none, whatever is in it", () => {
  const long = write(header, JSON.stringify({ ...claims, sub: "x".repeat(4096) }));
  expect([readToken(long), claimedIssuer(long)]).toEqual([undefined, undefined]);
});

test("any text at all is taken apart or is nothing, and never throws", () => {
  const part = fc.oneof(
    fc.string(),
    fc.json().map((json) => Buffer.from(json).toString("base64url")),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      expect(readToken(parts.join("."))).toBeUndefined();
      expect(typeof claimedIssuer(parts.join("."))).toMatch(/^(string|undefined)$/);
    }),
  );
});

test("T24 the pattern for secret scanners fits our tokens and no others", () => {
  const pattern = new RegExp(`^${tokenPattern}$`);
  expect(write(header, JSON.stringify(claims))).toMatch(pattern);
  expect(write('{"alg":"EdDSA","typ":"JWT"}', JSON.stringify(claims))).not.toMatch(pattern);
});
