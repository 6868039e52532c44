import { expect, test } from "bun:test";
import { formatMoment } from "./format-moment";

test.each([
  ["2026-11-15T12:00:00.000Z", "UTC", "2026-11-15 12:00:00 UTC"],
  ["2026-11-15T12:00:00.000Z", "Europe/Berlin", "2026-11-15 13:00:00 Europe/Berlin (12:00:00 UTC)"],
  ["2026-07-15T12:00:00.000Z", "Europe/Berlin", "2026-07-15 14:00:00 Europe/Berlin (12:00:00 UTC)"],
  ["2026-11-15T23:30:00.999Z", "Asia/Kolkata", "2026-11-16 05:00:00 Asia/Kolkata (2026-11-15 23:30:00 UTC)"],
  ["2026-11-15T02:00:00.000Z", "America/New_York", "2026-11-14 21:00:00 America/New_York (2026-11-15 02:00:00 UTC)"],
  ["2026-11-15T12:00:00.000Z", "Moon/Base", "2026-11-15 12:00:00 UTC"],
])("%s in %s is %s", (timestamp, zone, text) => {
  expect(formatMoment(timestamp, zone)).toBe(text);
});
