import { expect, test } from "bun:test";
import { duration } from "../output/moments";
import { expiryIn, parseDuration, parseFuture, parseLife, parseLimit, parsePast, parseWords } from "./argument-parsers";

test("moments are timestamps, days, or how long ago or how soon they are", () => {
  expect(parsePast("2026-11-01T02:00:00+02:00")).toBe("2026-11-01T00:00:00.000Z");
  expect(parsePast("2026-11-01")).toBe("2026-11-01T00:00:00.000Z");
  const passed = Date.now() - Date.parse(parsePast("24h"));
  expect(Math.abs(passed - 86_400_000)).toBeLessThan(10_000);
  expect(Date.parse(parseFuture("1w")) - Date.now()).toBeGreaterThan(6 * 86_400_000);
});

test.each(["yesterday", "24", "2026-13-01", "2026", "-1h", ""])("%p is no moment", (text) => {
  expect(() => parsePast(text)).toThrow("Write a timestamp");
});

test("lists take commas, limits a number or all, and lengths of time one unit", () => {
  expect(parseWords(["a", "b"])("a, b,")).toEqual(["a", "b"]);
  expect(() => parseWords(["a", "b"])("a,c")).toThrow("Write one or more of a, b");
  expect([parseLimit("all"), parseLimit("5")]).toEqual(["all", 5]);
  expect(() => parseLimit("0")).toThrow("Write a whole number");
  expect([parseDuration("90m"), duration(5_400_000), duration(999), duration(90_061_000)]).toEqual([
    5_400_000,
    "1h 30m",
    "1s",
    "1d 1h",
  ]);
});

test("the longest life of a token is a little shorter, because the clock of the service may be behind", () => {
  const longest = parseLife("730d");
  const life = Date.parse(expiryIn(longest)) - Date.now();
  expect(life).toBeLessThan(longest - 50_000);
  expect(life).toBeGreaterThan(longest - 70_000);
  expect(Date.parse(expiryIn(parseLife("30d"))) - Date.now()).toBeGreaterThan(parseLife("30d") - 10_000);
});
