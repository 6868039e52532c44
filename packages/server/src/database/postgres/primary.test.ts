import { expect, test } from "bun:test";
import { UnusableDatabase } from "../errors";
import { choosePrimary } from "./primary";

const server = (place: string, timeline: number, name = place) => ({ place, history: { timeline, server: name } });

test("of several servers that can be written to, the one that was promoted last is chosen", () => {
  const [old, promoted] = [server("db1:5432", 1), server("db2:5432", 2)];
  expect(choosePrimary([old, promoted], undefined)).toBe(promoted);
  expect(choosePrimary([promoted, old], old.history)).toBe(promoted);
  expect(choosePrimary([], undefined)).toBeUndefined();
});

test("two that were promoted equally often are refused, unless they are one by two names", () => {
  expect(() => choosePrimary([server("db1:5432", 3), server("db2:5432", 3)], undefined)).toThrow(
    new UnusableDatabase(
      "Two servers of database_url can be written to, db1:5432 and db2:5432; only one may be the primary. Stop the one that is not.",
    ),
  );
  const twice = [server("db:5432", 3, "the same"), server("127.0.0.1:5432", 3, "the same")];
  expect(choosePrimary(twice, undefined)).toMatchObject({ place: "db:5432" });
});

test("one that is older than the one used before is refused", () => {
  expect(() => choosePrimary([server("db1:5432", 1)], server("db2:5432", 2).history)).toThrow(
    new UnusableDatabase(
      "db1:5432 can be written to, but another one was promoted after it. Start that one, or restart Holdfast to continue with this one.",
    ),
  );
});
