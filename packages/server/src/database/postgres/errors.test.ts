import { expect, test } from "bun:test";
import { DatabaseError } from "pg";
import { DatabaseUnavailable, UnusableDatabase, writeFailureOf } from "../errors";
import {
  explainToOperator,
  isCollision,
  isHarmless,
  isReadOnly,
  reasonOf,
  translateLostConnection,
  translateRefusal,
} from "./errors";

function refusal(code: string, severity = "ERROR"): DatabaseError {
  return Object.assign(new DatabaseError(`refused with ${code}`, 0, "error"), { code, severity });
}

function failure(message: string, code?: string): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

test.each([
  ["08006", "The connection to the database was lost."],
  ["25006", "The database can only be read at the moment."],
  ["25P03", "The database took too long."],
  ["28P01", "The database refuses the login."],
  ["3D000", "The database is not there."],
  ["40001", "Others were changing the same."],
  ["40P01", "Others were changing the same."],
  ["53100", "The disk of the database is full, so nothing can be changed. Make room on it."],
  ["53200", "The database has run out of memory or of something else."],
  [
    "53300",
    "PostgreSQL has no connection left (refused with 53300). Raise max_connections, or lower database_connections.",
  ],
  ["55P03", "The database took too long."],
  ["57014", "The database took too long."],
  ["57P01", "The database is shutting down or starting."],
  ["57P03", "The database is shutting down or starting."],
  ["58030", "The database cannot use its disk."],
])("the refusal %s means: not now", (code, message) => {
  const translated = translateRefusal(refusal(code));
  expect(translated).toBeInstanceOf(DatabaseUnavailable);
  expect(translated).toMatchObject({ message, cause: refusal(code) });
});

test.each([
  ["08006", "database_away"],
  ["25006", "database_away"],
  ["25P03", "statement_timeout"],
  ["40P01", "conflict"],
  ["53100", "disk_full"],
  ["53200", "database_away"],
  ["55P03", "lock_timeout"],
  ["57014", "statement_timeout"],
  ["57P01", "database_away"],
  ["58030", "io_error"],
] as const)("a change that is refused with %s is counted as %s", (code, failure) => {
  expect(writeFailureOf(translateRefusal(refusal(code)))).toBe(failure);
});

test("what is wrong with a statement, or with us, stays what it is", () => {
  const others = [refusal("23505"), refusal("42P01"), refusal("XX000"), failure("The connection of two thoughts")];
  expect(others.map(translateRefusal)).toEqual(others);
});

test.each(
  [
    failure("connect ECONNREFUSED 127.0.0.1:5432", "ECONNREFUSED"),
    failure("read ECONNRESET", "ECONNRESET"),
    failure("getaddrinfo ENOTFOUND nowhere", "ENOTFOUND"),
    failure("Connection terminated unexpectedly"),
    failure("timeout exceeded when trying to connect"),
    failure("Query read timeout"),
    failure("Client has encountered a connection error and is not queryable"),
  ].map((error) => [error.message, error] as const),
)("the driver's %s means that the database does not answer", (_message, error) => {
  expect(translateLostConnection(error)).toMatchObject({
    name: "DatabaseUnavailable",
    message: "The database does not answer.",
    cause: error,
  });
});

test("a refusal is not a lost connection, and neither is a mistake of ours", () => {
  const others = [refusal("57P01"), new DatabaseUnavailable("It is away."), new TypeError("x is undefined"), "text"];
  expect(others.map(translateLostConnection)).toEqual(others);
});

test("only after a mere refusal can a connection go on being used", () => {
  const errors = [
    refusal("57014"),
    refusal("57P01", "FATAL"),
    refusal("XX000", "PANIC"),
    failure("Query read timeout"),
  ];
  expect(errors.map(isHarmless)).toEqual([true, false, false, false]);
});

test("collisions and read-only servers are told from everything else", () => {
  const errors = [refusal("40001"), refusal("40P01"), refusal("25006"), refusal("40003"), failure("40001")];
  expect(errors.map(isCollision)).toEqual([true, true, false, false, false]);
  expect(errors.map(isReadOnly)).toEqual([false, false, true, false, false]);
});

test("the log is told in words of ours or of the server's why the database is away", () => {
  const unreachable = Object.assign(failure("connect ECONNREFUSED 127.0.0.1:5432", "ECONNREFUSED"), {
    address: "127.0.0.1",
    port: 5432,
  });
  const lost = new DatabaseUnavailable("The connection was lost.", {
    cause: failure("Connection terminated unexpectedly"),
  });
  const errors = [unreachable, lost, refusal("28P01"), refusal("53300"), new UnusableDatabase("It is too old.")];
  expect(errors.map(reasonOf)).toEqual([
    "Nothing listens at 127.0.0.1:5432.",
    "The database does not answer.",
    "The database refuses the login. (refused with 28P01)",
    "PostgreSQL has no connection left (refused with 53300). Raise max_connections, or lower database_connections.",
    "It is too old.",
  ]);
});

test("an operator is told what to do, and what has been said already is not said again", () => {
  const url = "postgres://me:hush@db:5432/holdfast";
  const explain = (error: unknown) => explainToOperator(error, url);
  const messageOf = (error: unknown) => String(explain(error));
  expect(messageOf(refusal("28P01"))).toBe(
    "UnusableDatabase: The database at postgres://db:5432/holdfast refuses the login (refused with 28P01). Correct the user and the password in database_url.",
  );
  const denied = new UnusableDatabase("It cannot be brought up to date.", { cause: refusal("42501") });
  expect(messageOf(denied)).toBe(
    "UnusableDatabase: The user of the database at postgres://db:5432/holdfast may not make tables (refused with 42501). Make that user the owner of the database.",
  );
  expect(messageOf(failure("connect ECONNREFUSED", "ECONNREFUSED"))).toBe(
    "UnusableDatabase: The database at postgres://db:5432/holdfast does not answer (connect ECONNREFUSED). Start it, or correct database_url.",
  );
  const known = [
    new UnusableDatabase("It is too old."),
    new DatabaseUnavailable("None can be written to."),
    refusal("42P01"),
  ];
  expect(known.map(explain)).toEqual(known);
  expect(messageOf(refusal("57P03"))).toBe("DatabaseUnavailable: The database is shutting down or starting.");
});
