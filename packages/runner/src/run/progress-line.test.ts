import { expect, test } from "bun:test";
import { lineOf } from "./progress-line";

test.each([
  [{}, 4_000, "restic_backup  0:04"],
  [{ percentage: 50 }, 60_000, "restic_backup  50 %  1:00  about 1:00 left"],
  [{ percentage: 1 }, 3_700_000, "restic_backup  1 %  1:01:40"],
  [{ percentage: 100, message: "done" }, 1_000, "restic_backup  100 %  0:01  done"],
])("says how far it is: %p", (progress, runMs, line) => {
  expect(lineOf("restic_backup", progress, runMs)).toBe(line);
});

test.each([
  ["\u001b[2J"],
  ["\r"],
  ["\n"],
  ["\u0007"],
  ["\u009b31m"],
  ["\u202e"],
  ["\u2066"],
  ["\u200b"],
  ["\ud800"],
  ["\0"],
])("T34: %j in a message moves no cursor", (text) => {
  const line = lineOf("restic_backup", { message: `a${text}b` }, 0);
  expect(line).not.toMatch(/\p{C}/u);
  expect(line).toContain("a\u00b7");
});
