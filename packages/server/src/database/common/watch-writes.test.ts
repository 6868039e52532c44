import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseBroken, DatabaseUnavailable, DiskFull } from "../errors";
import { openSqlite } from "../sqlite/open";
import { noMeter } from "../stats";
import { watchWrites } from "./watch-writes";

test("a full disk is known from a change that failed for it until one succeeds and there is room", async () => {
  let hasRoom = false;
  const folder = mkdtempSync(join(tmpdir(), "holdfast-writes-"));
  const file = await openSqlite(join(folder, "new.db"));
  const said: string[] = [];
  const database = watchWrites(
    file,
    () => hasRoom,
    (level, message) => said.push(`${level} ${message}`),
  );
  const fail = (error: Error) => database.change(() => Promise.reject(error)).catch(() => {});
  const succeed = () => database.change(() => Promise.resolve());
  const seen: (string | undefined)[] = [];
  const look = () => seen.push(database.writeObstacle());
  await fail(new DatabaseUnavailable("Another process is writing to the database."));
  look();
  await fail(new DiskFull(new Error("database or disk is full")));
  look();
  await succeed();
  look();
  hasRoom = true;
  look();
  await succeed();
  look();
  await database.close();
  rmSync(folder, { recursive: true });
  const full = "The disk of the database is full, so nothing can be changed. Make room on it.";
  expect(seen).toEqual([undefined, full, full, full, undefined]);
  expect(said).toEqual([
    "warn The service is not ready until there is room on the disk.",
    "info There is room on the disk of the database: the service is ready again.",
  ]);
});

test("every change that fails is counted by why it does, unless the database is not the reason", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-writes-"));
  const database = await openSqlite(join(folder, "new.db"));
  const failures: string[] = [];
  database.stats.countWith({ ...noMeter, failedToWrite: (failure) => failures.push(failure) });
  for (const error of [
    new DiskFull(new Error("full")),
    new DatabaseBroken("The database failed."),
    new DatabaseUnavailable("The database does not answer."),
    new Error("A rule says no."),
  ]) {
    await database.change(() => Promise.reject(error)).catch(() => {});
  }
  await database.close();
  rmSync(folder, { recursive: true });
  expect(failures).toEqual(["disk_full", "io_error", "database_away"]);
});
