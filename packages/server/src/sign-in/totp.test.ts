import { describe, expect, test } from "bun:test";
import {
  createRecoveryCodes,
  createTotpSecret,
  findTotpStep,
  totpCode,
  totpStep,
  totpUri,
  useRecoveryCode,
} from "./totp";

/** The secret of RFC 6238's own examples, "12345678901234567890". */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const now = Date.parse("2026-11-15T12:00:10.000Z");
const step = totpStep(now);

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("after %d seconds the code is the one of RFC 6238: %s", (seconds, code) => {
  expect(totpCode(secret, totpStep(seconds * 1000))).toBe(code);
});

test.each([
  [-2, undefined],
  [-1, step - 1],
  [0, step],
  [1, step + 1],
  [2, undefined],
])("the code of %d steps from now is taken as that of step %p", (away, found) => {
  expect(findTotpStep(secret, totpCode(secret, step + away), now, null)).toBe(found);
});

test("no code is good twice, nor an older one after a newer", () => {
  expect(findTotpStep(secret, totpCode(secret, step), now, step)).toBeUndefined();
  expect(findTotpStep(secret, totpCode(secret, step - 1), now, step)).toBeUndefined();
  expect(findTotpStep(secret, totpCode(secret, step + 1), now, step)).toBe(step + 1);
});

test.each(["", "12345", "1234567", "abcdef", "１２３４５６"])("%p is no code", (code) => {
  expect(findTotpStep(secret, code, now, null)).toBeUndefined();
});

test("a code may be typed with a space", () => {
  expect(findTotpStep(secret, totpCode(secret, step).replace(/^.../, "$& "), now, null)).toBe(step);
});

test("a secret has 160 bits, and no two are the same", () => {
  const secrets = Array.from({ length: 50 }, createTotpSecret);
  expect(new Set(secrets).size).toBe(50);
  expect(secrets.filter((one) => /^[A-Z2-7]{32}$/.test(one))).toEqual(secrets);
});

test("an app reads the account and the secret from the URI", () => {
  const uri = new URL(totpUri(secret, "maria+1@example.org"));
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    "otpauth:",
    "totp",
    "/Holdfast:maria+1@example.org",
  ]);
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret,
    issuer: "Holdfast",
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
});

describe("recovery codes", () => {
  const { codes, hashes } = createRecoveryCodes();
  const [first = "", second = ""] = codes;

  test("are ten, all different, and not what is kept", () => {
    expect(new Set(codes).size).toBe(10);
    expect(codes.filter((code) => /^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/.test(code))).toEqual(codes);
    expect(hashes.filter((hash) => /^[0-9a-f]{64}$/.test(hash))).toEqual(hashes);
  });

  test("are each good once, however they are typed", () => {
    const left = useRecoveryCode(hashes, ` ${first.toLowerCase().replaceAll("-", " ")}`) ?? [];
    expect(left).toEqual(hashes.slice(1));
    expect(useRecoveryCode(left, first)).toBeUndefined();
    expect(useRecoveryCode(left, second)).toEqual(hashes.slice(2));
  });

  test.each(["", "AAAA-AAAA-AAAA-AAAA", "123456"])("do not include %p", (code) => {
    expect(useRecoveryCode(hashes, code)).toBeUndefined();
  });
});
