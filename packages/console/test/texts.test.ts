import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { commandOf } from "../src/texts/backup-commands";
import { durationText, roughDuration } from "../src/texts/durations";
import { firstLine, visibleText } from "../src/texts/foreign-text";
import { filterText } from "../src/texts/notification-words";
import { sizeText } from "../src/texts/numbers";
import { shellWord } from "../src/texts/shell";
import { fullTime, shortTime, utcText } from "../src/texts/times";

test("durations are short, and their parts fit", () => {
  const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
  expect(
    [300, 8 * second, 8 * minute + 43 * second, 2 * hour + 5 * minute, 3 * day + 4 * hour].map(durationText),
  ).toEqual(["0.3 s", "8 s", "8 m 43 s", "2 h 05 m", "3 d 4 h"]);
  expect([59 * second, 4 * minute, 30 * hour, 3 * day].map(roughDuration)).toEqual([
    "59 s",
    "4 min",
    "1 day",
    "3 days",
  ]);
});

test("times are relative under a day, and dates beyond it", () => {
  const now = Date.parse("2026-11-15T12:00:00Z");
  const at = (text: string) => shortTime(Date.parse(text), now, "Europe/Berlin");
  expect(at("2026-11-15T11:56:00Z")).toBe("4 min ago");
  expect(at("2026-11-15T14:00:00Z")).toBe("in 2 h");
  expect(at("2026-11-08T02:10:00Z")).toBe("8 Nov, 03:10");
  expect(at("2024-01-02T00:00:00Z")).toBe("2 Jan 2024");
  expect(at("2026-12-16T12:00:00Z")).toBe("16 Dec, 13:00");
  expect(at("2027-02-14T12:00:00Z")).toBe("14 Feb 2027");
  expect(fullTime(now, "UTC")).toBe("15 Nov 2026, 12:00:00");
  expect(utcText(now)).toBe("2026-11-15 12:00:00 UTC");
});

test("sizes have a unit", () => {
  expect([1, 999, 2_540, 84_000, 1_300_000].map(sizeText)).toEqual([
    "1 byte",
    "999 bytes",
    "2.5 kB",
    "84 kB",
    "1.3 MB",
  ]);
});

describe("text from outside", () => {
  test("shows what would hide or turn around, and loses terminal codes", () => {
    expect(visibleText("a\u202egnp.exe \u001b[31mred\u001b[0m \u0007")).toBe("a\\u202egnp.exe red ␣");
  });

  test("has no character left that steers, whatever comes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left.
        expect(visibleText(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });

  test("is one line of at most 300 graphemes in lists", () => {
    expect(firstLine(`${"é".repeat(5_000)}\nmore`)).toBe(`${"é".repeat(300)}…`);
    expect(firstLine("one\ntwo")).toBe("one");
  });
});

test("a name is one word of a shell, whatever is in it, and plain ones stand as they are", () => {
  const names = ["host:web-01", "host:web 01", "it's", '"$(date)"', "a\\b;c", "ü*"];
  expect(shellWord("host:web-01")).toBe("host:web-01");
  const { stdout } = Bun.spawnSync(["sh", "-c", `printf '%s\\n' ${names.map(shellWord).join(" ")}`]);
  expect(stdout.toString()).toBe(`${names.join("\n")}\n`);
});

test("a command fits the type of the tasks that it makes, and is a script where their tool is not known", () => {
  const tools = ["restic_backup", "borg_create", "borgmatic_create", "pgbackrest_full_backup", "pg_dump", "tar"];
  expect(tools.map((type) => commandOf(type).tool)).toEqual([
    "restic",
    "borg",
    "borgmatic",
    "pgbackrest",
    "pg_dump",
    "tar",
  ]);
  const commands = tools.map((type) => commandOf(type));
  expect(commands.filter(({ tool, command }) => !command.startsWith(`${tool} `))).toEqual([]);
  expect(commandOf("restic_restore").command).toStartWith("restic restore ");
  const unknown = ["", "ping_run", "target_practice", "resticker"].map((type) => commandOf(type).command);
  expect(new Set(unknown)).toEqual(new Set(["/usr/local/bin/backup.sh"]));
});

test("a simple filter of tasks is said in words, and no other", () => {
  expect(filterText({ category: "backup" })).toBe("category is backup");
  expect(filterText({ "error.code": { $eq: "wrong_password" }, outcome: { $in: ["error", "lost"] } })).toBe(
    "error code is wrong_password and outcome is error or lost",
  );
  expect(filterText({})).toBeUndefined();
  expect(filterText({ category: { $ne: "backup" } })).toBeUndefined();
  expect(filterText({ outcome: { $in: ["error"], $ne: "lost" } })).toBeUndefined();
  expect(filterText({ $or: [{ category: "backup" }] })).toBeUndefined();
});
