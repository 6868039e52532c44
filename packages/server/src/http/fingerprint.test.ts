import { expect, test } from "bun:test";
import { fingerprint } from "./fingerprint";

test("a text has one name, in whatever pieces it is", () => {
  const names = [["a text"], ["a ", "text"], [new TextEncoder().encode("a t"), "ext"], ["another"]].map(fingerprint);
  expect(new Set(names.slice(0, 3)).size).toBe(1);
  expect(names[3]).not.toBe(names[0]);
});

test("texts that are made to collide in a quick hash have names of their own", () => {
  // The first eight bytes make xxHash3 multiply the next eight by zero.
  const start = [0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe];
  const texts = ["harmless", "attacked"].map((word) =>
    Uint8Array.from([...start, ...new TextEncoder().encode(`${word}, and the rest.=`)]),
  );
  expect(new Set(texts.map((text) => Bun.hash.xxHash3(text, 0n))).size).toBe(1);
  expect(new Set(texts.map((text) => fingerprint([text]))).size).toBe(2);
});
