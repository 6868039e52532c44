import { expect, test } from "bun:test";
import { SettingError } from "../../settings/settings";
import { isPostgresUrl, readPostgresUrl, withoutPassword } from "./url";

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
  const same = { user: "me", password: "h:u@s/h", database: "hold fast", parameters: { sslmode: "require" } };
  expect(readPostgresUrl("postgres://me:h:u%40s%2Fh@db1,db2:5433,[::1]:5434/hold%20fast?sslmode=require")).toEqual([
    { host: "db1", port: undefined, ...same },
    { host: "db2", port: 5433, ...same },
    { host: "::1", port: 5434, ...same },
  ]);
  expect(readPostgresUrl("postgresql://db")).toEqual([
    { host: "db", port: undefined, user: undefined, password: undefined, database: undefined, parameters: {} },
  ]);
});

test.each(["postgres://", "postgres://db1,/x", "postgres:///x", "postgres://me:hush@db:port/x"])(
  "%s is refused without a word about the password",
  (url) => {
    const attempt = () => readPostgresUrl(url);
    expect(attempt).toThrow(SettingError);
    expect(attempt).toThrow(
      /^There is no database at "[^"]*"\. Write it as postgres:\/\/user:password@host:5432\/name\.$/,
    );
    expect(attempt).not.toThrow(/hush/);
  },
);

test.each([
  "postgres://me:hu@sh@db/x",
  "postgres://me:hu/sh@db/x",
  "postgres://me:5?sh@db/x",
  "postgres://me:5#sh@db/x",
])("the password in %s was not written as it should be, and no part of it is shown", (url) => {
  expect(() => readPostgresUrl(url)).toThrow(
    new SettingError(
      "The address of the database has an @ too many, or in an odd place. Write @ in a password as %40 and / as %2F.",
    ),
  );
});

test.each([
  [
    "sslmod=require",
    'The address of the database has a parameter "sslmod" that is not known. Known are sslmode, sslrootcert, sslcert, sslkey, application_name, options.',
  ],
  [
    "SSLMODE=require",
    'The address of the database has a parameter "SSLMODE" that is not known. Known are sslmode, sslrootcert, sslcert, sslkey, application_name, options.',
  ],
  ["sslmode=require&sslmode=disable", "The address of the database has the parameter sslmode twice. Leave one out."],
])("the parameters %s are refused", (query, message) => {
  expect(() => readPostgresUrl(`postgres://db/x?${query}`)).toThrow(new SettingError(message));
});

test("a % that stands for nothing is refused", () => {
  expect(() => readPostgresUrl("postgres://me:hu%sh@db/x")).toThrow(
    new SettingError("The address of the database has a % in an odd place. Write % in a password as %25."),
  );
});

test("an address is shown without user and password, even where that was not written as it should be", () => {
  expect(
    [
      "postgres://me:hush@db:5432/holdfast",
      "postgres://me:hu@sh@db:5432/holdfast",
      "postgres://me:hu/sh@db:5432/holdfast",
      "postgres://db:5432/holdfast?user=me&password=hush&sslpassword=hush",
      "host=db password=hush; user=me",
    ].map(withoutPassword),
  ).toEqual([
    "postgres://db:5432/holdfast",
    "postgres://db:5432/holdfast",
    "postgres://db:5432/holdfast",
    "postgres://db:5432/holdfast?user=me&password=…&sslpassword=…",
    "host=db password=… user=me",
  ]);
});
