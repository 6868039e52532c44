import { expect, test } from "bun:test";
import { expiryNotice } from "./token-expiry";

const day = 86_400_000;
const left = (life: number, days: number) => expiryNotice({ createdAt: 0, expiresAt: life * day }, (life - days) * day);

test("a token reaches its notices 14, 7 and 1 days before it expires", () => {
  expect([30, 15, 14, 8, 7, 2, 1, 0.1].map((days) => left(90, days))).toEqual([
    ...[undefined, undefined, 14, 14, 7, 7, 1, 1],
  ]);
  expect([left(90, 0), left(90, -1)]).toEqual([undefined, undefined]);
});

test("a notice that is longer than the life of a token is left out", () => {
  expect([left(14, 14), left(10, 9), left(10, 7), left(7, 6), left(1, 0.5), left(1.5, 0.5)]).toEqual([
    ...[undefined, undefined, 7, undefined, undefined, 1],
  ]);
});
