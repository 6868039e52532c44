import { expect, test } from "bun:test";
import { isTimeZone } from "./time-zone";

test("a time zone is one of the IANA database, by its name", () => {
  const zones = ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "asia/kolkata"];
  const others = ["", "+02:00", "Moon/Base", "Europe/Berlin\n", " UTC", "Europe/../Berlin", "x".repeat(10_000)];
  expect([zones.filter((name) => !isTimeZone(name)), others.filter(isTimeZone)]).toEqual([[], []]);
});
