import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UnusableDatabase } from "../errors";
import { findPassword, searchPasswordFile } from "./password";

const login = { host: "db", port: 5432, database: "holdfast", user: "me" };
let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "holdfast-home-"));
});
afterAll(() => rmSync(home, { recursive: true }));

test("the first line of the file that fits has the password", () => {
  const text = [
    "# db:5432:holdfast:me:comment",
    "other:5432:holdfast:me:another host",
    "db:5433:holdfast:me:another port",
    "db:*:holdfast:me:it \\\\ is \\: this",
    "*:*:*:*:any",
  ].join("\n");
  expect(searchPasswordFile(text, login)).toBe("it \\ is : this");
  expect(searchPasswordFile(text, { ...login, user: "you" })).toBe("any");
  expect(searchPasswordFile("::1:5432:holdfast:me:x\n\\:\\:1:5432:*:me:six", { ...login, host: "::1" })).toBe("six");
  expect(searchPasswordFile("localhost:*:*:*:socket", { ...login, host: "/var/run/postgresql" })).toBe("socket");
  expect(searchPasswordFile("db:5432:holdfast:you:x\n\ndb:5432", login)).toBeUndefined();
});

test("PGPASSWORD comes before the file, and PGPASSFILE names another one", () => {
  const [normal, named] = [join(home, ".pgpass"), join(home, "named")];
  writeFileSync(normal, "*:*:*:*:usual\n", { mode: 0o600 });
  writeFileSync(named, "*:*:*:*:named\n", { mode: 0o600 });
  expect(findPassword(login, { environment: {}, home })).toBe("usual");
  expect(findPassword(login, { environment: { PGPASSFILE: named }, home })).toBe("named");
  expect(findPassword(login, { environment: { PGPASSFILE: named, PGPASSWORD: "direct" }, home })).toBe("direct");
});

test("a file that others may read is not used, and a missing password is told with where to put it", () => {
  const path = join(home, "open");
  writeFileSync(path, "*:*:*:*:hush\n");
  chmodSync(path, 0o640);
  expect(() => findPassword(login, { environment: { PGPASSFILE: path }, home })).toThrow(
    new UnusableDatabase(
      `The database asks for a password, and ${path} is not used because others may read it. Run chmod 600 on it.`,
    ),
  );
  expect(() => findPassword(login, { environment: { PGPASSFILE: join(home, "missing") }, home })).toThrow(
    new UnusableDatabase(
      "The database asks for a password, and none was given. Put it into database_url, PGPASSWORD or ~/.pgpass.",
    ),
  );
});
