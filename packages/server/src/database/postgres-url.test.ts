import { expect, test } from "bun:test";
import { SettingError } from "../settings";
import { isPostgresUrl, splitPostgresUrl, withoutPassword } from "./postgres-url";

test("an address names PostgreSQL by either of its two schemes", () => {
  expect(["postgres://db/x", "postgresql://db/x"].map(isPostgresUrl)).toEqual([true, true]);
  expect(["postgres:db", "sqlite:/postgres://", "mysql://db/x", ""].map(isPostgresUrl)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test("an address of several servers is taken apart into one for each, with everything else the same", () => {
  expect(splitPostgresUrl("postgres://me:hush@db1,db2:5433,[::1]:5434/holdfast?sslmode=require")).toEqual([
    "postgres://me:hush@db1/holdfast?sslmode=require",
    "postgres://me:hush@db2:5433/holdfast?sslmode=require",
    "postgres://me:hush@[::1]:5434/holdfast?sslmode=require",
  ]);
  expect(splitPostgresUrl("postgresql://db/holdfast")).toEqual(["postgres://db/holdfast"]);
});

test.each([
  "postgres://",
  "postgres://db1,/x",
  "postgres:///x",
  "postgres://me:hush@db:port/x",
  "postgres://me:hu/sh@db/x",
])("%s is refused without a word about the password", (url) => {
  const attempt = () => splitPostgresUrl(url);
  expect(attempt).toThrow(SettingError);
  expect(attempt).toThrow(
    /^There is no database at "[^"]*"\. Write it as postgres:\/\/user:password@host:5432\/name\.$/,
  );
  expect(attempt).not.toThrow(/hush|hu\/sh/);
});

test("an address is shown without user and password, even where that was not written as it should be", () => {
  expect(
    [
      "postgres://me:hush@db:5432/holdfast",
      "postgres://me:hu@sh@db:5432/holdfast",
      "postgres://me:hu/sh@db:5432/holdfast",
      "postgres://db:5432/holdfast?user=me&password=hush&sslpassword=hush",
    ].map(withoutPassword),
  ).toEqual([
    "postgres://db:5432/holdfast",
    "postgres://db:5432/holdfast",
    "postgres://db:5432/holdfast",
    "postgres://db:5432/holdfast?user=me&password=…&sslpassword=…",
  ]);
});
