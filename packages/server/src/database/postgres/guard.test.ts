import { expect, test } from "bun:test";
import { UnusableDatabase } from "../errors";
import { guardPostgres, type PostgresFacts } from "./guard";

const good: PostgresFacts = {
  version: "PostgreSQL 15.3",
  versionNumber: 150_003,
  fsync: "on",
  fullPageWrites: "on",
  synchronousCommit: "on",
  encoding: "UTF8",
};

test("a PostgreSQL that keeps what it acknowledges is accepted, also where it waits for replicas", () => {
  const others = ["local", "remote_write", "remote_apply"].map((synchronousCommit) => ({ ...good, synchronousCommit }));
  for (const facts of [good, ...others]) expect(() => guardPostgres(facts)).not.toThrow();
});

test.each<[Partial<PostgresFacts>, string]>([
  [{ version: "PostgreSQL 14.9", versionNumber: 140_009 }, "PostgreSQL 14.9 is too old. Use PostgreSQL 15 or newer."],
  [
    { encoding: "SQL_ASCII" },
    "The database is encoded in SQL_ASCII. Create it again with: createdb --encoding UTF8 --template template0",
  ],
  [{ fsync: "off" }, "PostgreSQL runs with fsync=off, which loses writes. Set it to on in postgresql.conf."],
  [
    { fullPageWrites: "off" },
    "PostgreSQL runs with full_page_writes=off, which loses writes. Set it to on in postgresql.conf.",
  ],
  [
    { synchronousCommit: "off" },
    "PostgreSQL runs with synchronous_commit=off, which loses writes. Set it to on in postgresql.conf.",
  ],
])("%p is refused", (facts, message) => {
  expect(() => guardPostgres({ ...good, ...facts })).toThrow(new UnusableDatabase(message));
});
