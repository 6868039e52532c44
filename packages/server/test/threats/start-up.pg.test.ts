import { expect, test } from "bun:test";
import { type Durability, guardDurability } from "../../src/database/sqlite/guard";

const sound: Durability = { version: "3.51.3", journalMode: "wal", synchronous: 2, foreignKeys: 1 };

test("R25: an SQLite that keeps what it acknowledges is used", () => {
  expect(() => guardDurability(sound)).not.toThrow();
  expect(() => guardDurability({ ...sound, version: "3.52.0" })).not.toThrow();
});

const unsound: [what: string, change: Partial<Durability>, message: string][] = [
  [
    "synchronous NORMAL",
    { synchronous: 1 },
    "SQLite runs with synchronous=1, which loses writes. It has to be FULL (2).",
  ],
  ["synchronous OFF", { synchronous: 0 }, "SQLite runs with synchronous=0, which loses writes. It has to be FULL (2)."],
  [
    "an SQLite that corrupts with two writers",
    { version: "3.51.2" },
    "SQLite 3.51.2 can corrupt a database that two processes write to. Use SQLite 3.51.3 or newer.",
  ],
  [
    "a much older SQLite",
    { version: "3.9.1" },
    "SQLite 3.9.1 can corrupt a database that two processes write to. Use SQLite 3.51.3 or newer.",
  ],
  [
    "no write-ahead log",
    { journalMode: "delete" },
    "SQLite cannot keep a write-ahead log here (journal_mode is delete). Put data_dir on a local disk.",
  ],
  ["no foreign keys", { foreignKeys: 0 }, "SQLite does not enforce foreign keys here. Use a build that does."],
];

test.each(unsound)("R25: %s is refused", (_what, change, message) => {
  expect(() => guardDurability({ ...sound, ...change })).toThrow(message);
});
