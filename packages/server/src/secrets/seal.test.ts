import { expect, test } from "bun:test";
import fc from "fast-check";
import { createSealer } from "./seal";

const key = new TextEncoder().encode("thirty-two characters of a secret");
const sealer = createSealer(key);

test("what was sealed opens for its purpose alone, and with its key alone", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), fc.string(), (plain, purpose, other) => {
      fc.pre(purpose !== other);
      const sealed = sealer.seal(plain, purpose);
      expect(createSealer(key).open(sealed, purpose)).toBe(plain);
      expect(sealer.open(sealed, other)).toBeUndefined();
      expect(createSealer(Buffer.from("another secret")).open(sealed, purpose)).toBeUndefined();
    }),
  );
});

test("a purpose and a text that run into each other do not share a nonce", () => {
  const nonce = (plain: string, purpose: string) => sealer.seal(plain, purpose).slice(0, 16);
  expect(nonce("b", "a\0")).not.toBe(nonce("\0b", "a"));
  expect(nonce("bc", "a")).not.toBe(nonce("c", "ab"));
});

test("one bit that is altered anywhere, another spelling or a missing part opens nothing", () => {
  const sealed = sealer.seal("a secret", "a purpose");
  const bytes = Buffer.from(sealed, "base64url");
  for (const at of bytes.keys()) {
    const altered = Buffer.from(bytes);
    altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
    expect(sealer.open(altered.toString("base64url"), "a purpose")).toBeUndefined();
    expect(sealer.open(bytes.subarray(0, at).toString("base64url"), "a purpose")).toBeUndefined();
  }
  for (const text of ["", "=", `${sealed}=`, ` ${sealed}`, `${sealed}\n`, `${sealed}!`]) {
    expect([text, sealer.open(text, "a purpose")]).toEqual([text, undefined]);
  }
});

test("sealing the same twice gives the same, and anything else something else", () => {
  expect(sealer.seal("a", "p")).toBe(createSealer(key).seal("a", "p"));
  const different = [sealer.seal("a", "p"), sealer.seal("b", "p"), sealer.seal("a", "q")];
  expect(new Set(different.map((text) => text.slice(0, 16))).size).toBe(3);
});
