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

const secret = "gehe!m'1ü";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const hex = (text: string) => Buffer.from(text).toString("hex");

test.each([
  ["base64", `x ${base64(secret)} y`, "x *** y"],
  ["base64 without padding", `x ${base64(secret).replace(/=+$/, "")} y`, "x *** y"],
  ["base64url", `x ${Buffer.from("??>>??>>").toString("base64url")} y`, "x *** y"],
  ["hex", `x ${hex(secret)} y`, "x *** y"],
  ["hex in capitals", `x ${hex(secret).toUpperCase()} y`, "x *** y"],
  ["percent-encoding", `x ${encodeURIComponent(secret)} y`, "x *** y"],
  ["percent-encoding in lower case", "x gehe!m%271%c3%bc y", "x *** y"],
  ["percent-encoding of ordinary letters", "x %67eh%65%21m'1ü y", "x *** y"],
  ["percent-encoding of Latin-1", "x gehe!m'1%FC y", "x *** y"],
  ["escapes of JSON", "x gehe!m\\u00271\\u00fc y", "x *** y"],
  ["escapes of JSON in capitals", "x g\\u0065he!m'1\\u00FC y", "x *** y"],
  ["escapes of other languages", "x gehe!m\\x271\\xfc y", "x *** y"],
  ["quotes of a shell", "x 'gehe!m'\\''1ü' y", "x '***' y"],
  ["a colour within it", "x ge\u001b[1;31mhe!m\u001b[0m'1ü y", "x *** y"],
  ["a command of a terminal without a number", "x gehe\u001b[K!m'1ü\u001b[m y", "x ***\u001b[m y"],
  ["a colour within percent-encoding", "x gehe!m\u001b[31m%271ü y", "x *** y"],
  ["a secret in the title of a terminal", "\u001b]0;gehe!m'1ü\u0007", "\u001b]0;***\u0007"],
])("T35: masks a secret in %s", (_, text, expected) => {
  expect(maskSecrets(text, [secret, "??>>??>>"])).toBe(expected);
});

test("T35: base64 of a longer text is masked where the secret is in it, whatever stands before and after it", () => {
  const around = ["", "u", "us", "user", "user:", "admin:", "Grüße"];
  for (const before of around) {
    for (const after of around) {
      const encoded = base64(before + secret + after);
      const masked = maskSecrets(encoded, [secret]);
      expect(masked).toContain("***");
      // One digit at each edge is partly the neighbour's.
      const left = masked.replace("***", "").replace(/=+$/, "").length;
      expect(left).toBeLessThanOrEqual(Math.ceil((Buffer.byteLength(before + after) * 8) / 6) + 2);
    }
  }
});

test("what is no secret stays, escapes and colours included", () => {
  const text = "100% of \\u0041 \\x4 %4 %zz \u001b[31mred\u001b[0m \\ gehe!m%27 gehe!m\\u0027 Z2VoZSFt";
  expect(maskInPieces(text, [secret], [1, 3, 2])).toBe(text);
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
    "%67",
    "%",
    "67",
    "\\u0067",
    "eheim1",
    "\u001b[31m",
    "Z2VoZWltMQ==",
    "Z2VoZWlt",
    "67656865696d31",
  );
  const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(""));
  const lengths = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 10 });
  const secrets = ["geheim1", "geheim12", "heim1ge"];
  fc.assert(
    fc.property(text, lengths, (whole, cuts) => {
      const masked = maskSecrets(whole, secrets);
      expect(maskInPieces(whole, secrets, cuts)).toBe(masked);
      const plain = masked
        .replaceAll(/%67|\\u0067/g, "g")
        .replaceAll("\u001b[31m", "")
        .replaceAll(/(?<!\n)\n{1,2}(?!\n)/g, "");
      const forms = [...secrets, "Z2VoZWltMQ", "67656865696d31"];
      expect(forms.filter((form) => plain.includes(form))).toEqual([]);
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
