import { expect, test } from "bun:test";
import fc from "fast-check";
import { createMasker, maskSecrets, secretsOf } from "./secrets";

/** Masks a text that comes in pieces of these lengths. */
function maskInPieces(text: string, secrets: readonly string[], lengths: readonly number[]): string {
  const masker = createMasker(secrets);
  let out = "";
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    out += masker.push(text.slice(at, at + length));
    at += length;
  }
  return out + masker.end();
}

test("secrets are the values of variables whose names say so, from 6 characters on", () => {
  const environment = {
    RESTIC_PASSWORD: "geheim1",
    BORG_PASSPHRASE: "sesame open",
    AWS_SECRET_ACCESS_KEY: "abc/def+1",
    GITHUB_TOKEN: "tok-en-1",
    B2_ACCOUNT_KEY: "12345",
    my_password: "lower-case",
    PATH: "/usr/bin",
    EMPTY_KEY: undefined,
  };
  expect(secretsOf(environment).sort()).toEqual(
    ["geheim1", "sesame open", "sesame%20open", "abc/def+1", "abc%2Fdef%2B1", "tok-en-1", "lower-case"].sort(),
  );
});

test.each([
  ["the password is geheim1.", "the password is ***."],
  ["geheim1geheim1", "******"],
  ["geheim12 and geheim1x", "*** and ***x"],
  ["gehe geheim geheim", "gehe geheim geheim"],
  ["cut geh\neim1 by a line end, geheim\r\n1 too", "cut *** by a line end, *** too"],
  ["but not geh\n\n\neim1", "but not geh\n\n\neim1"],
  ["rest:https://user:pa@ss@host:8000/x", "rest:https://***@host:8000/x"],
  ["sftp://user@host/x http://host:80/a@b:c", "sftp://user@host/x http://host:80/a@b:c"],
  ["postgres://u:p@h", "postgres://***@h"],
  ['"https://:token@h" https://u:p@h2', '"https://***@h" https://***@h2'],
  ["a :// b", "a :// b"],
])("masks %j", (text, expected) => {
  expect(maskSecrets(text, ["geheim1", "geheim12"])).toBe(expected);
});

test("a secret of several lines is masked, whole and line by line", () => {
  const secrets = secretsOf({ SSH_KEY: "first-line\nsecond-line\n" });
  expect(maskSecrets("a first-line\nsecond-line b second-line", secrets)).toBe("a *** b ***");
});

test("wherever a text is cut, the same is masked, and no secret is left", () => {
  const part = fc.constantFrom(
    "geheim1",
    "geheim12",
    "heim1ge",
    "geh",
    "eim1",
    "\n",
    "://",
    "u:p@",
    "h/",
    " ",
    "x",
    "ü😀",
  );
  const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(""));
  const lengths = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 10 });
  const secrets = ["geheim1", "geheim12", "heim1ge"];
  fc.assert(
    fc.property(text, lengths, (whole, cuts) => {
      const masked = maskSecrets(whole, secrets);
      expect(maskInPieces(whole, secrets, cuts)).toBe(masked);
      expect(secrets.filter((secret) => masked.replace(/[\r\n]/g, "").includes(secret))).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

test("a text without secrets is unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      fc.pre(!text.includes("://"));
      expect(maskInPieces(text, ["no-such-secret"], [3])).toBe(text);
    }),
  );
});

test("an endless password is masked without being kept", () => {
  const masker = createMasker([]);
  const piece = "p".repeat(65_536);
  let out = masker.push("https://user:");
  for (let count = 0; count < 100; count++) out += masker.push(piece);
  expect(out + masker.push("@host/ and more") + masker.end()).toBe("https://***/ and more");
});

test("time grows with the length of the text, not with its square", () => {
  const secrets = [`${"a".repeat(5000)}b`, `${"a".repeat(3000)}c`];
  const measure = (length: number) => {
    const text = "a".repeat(length);
    const begun = performance.now();
    expect(maskSecrets(text, secrets)).toBe(text);
    return performance.now() - begun;
  };
  measure(100_000);
  // A square would take hundreds of times as long as allowed here.
  expect(measure(4_000_000)).toBeLessThan(8000);
});
