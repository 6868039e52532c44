import { afterAll, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqlite } from "@holdfast/server/database/sqlite/open";
import { openCommandLine } from "../../../test/open-command-line";

const { folder, data, start, run, remove } = openCommandLine();
const holdfast = (...args: string[]) => run(args);
const anchor = join(data, "audit.anchor");
const exported = join(folder, "audit.ndjson");
afterAll(remove);

/** Runs a service for a moment: it notes the newest event when it stops, at the latest. */
async function serveShortly(): Promise<void> {
  const service = start(["serve", "--port", "0"], { environment: { HOLDFAST_DRAIN_SECONDS: "0" } });
  const errors = service.stderr.getReader();
  const decoder = new TextDecoder();
  for (let printed = ""; !printed.includes("Holdfast serves"); await Bun.sleep(5)) {
    printed += decoder.decode((await errors.read()).value);
  }
  service.kill("SIGTERM");
  expect(await service.exited).toBe(0);
}

/** Keeps the end of the audit trail as it is now, to put it back later. */
async function rememberEnd(): Promise<{ count: number; putBack: () => Promise<void> }> {
  const file = join(data, "holdfast.db");
  const before = await openSqlite(file);
  const { sealed, count } = await before.snapshot(async (db) => ({
    ...(await db.selectFrom("audit_head").select("sealed").executeTakeFirstOrThrow()),
    count: (await db.selectFrom("audit_events").select("number").execute()).length,
  }));
  await before.close();
  return {
    count,
    async putBack() {
      const database = await openSqlite(file);
      await database.change(async (db) => {
        await db.deleteFrom("audit_events").where("number", ">", count).execute();
        await db.updateTable("audit_head").set({ sealed }).execute();
      });
      await database.close();
    },
  };
}

test("T26: an old end that was put back is found by what a service has noted, until the file is removed", async () => {
  await holdfast("ou", "create", "--name", "Berlin");
  writeFileSync(exported, (await holdfast("audit", "export")).stdout);
  const { count, putBack } = await rememberEnd();
  await holdfast("ou", "create", "--name", "Evidence");
  await serveShortly();
  const whole = await holdfast("audit", "verify");
  const [, seen, rest] = /\. It goes on from event (\d+), (.*)\n$/.exec(whole.stdout) ?? [];
  expect([whole.exitCode, Number(seen) > count, rest]).toEqual([0, true, `the newest that was noted in ${anchor}.`]);
  const anchored = readFileSync(anchor, "utf8");

  await putBack();
  const found = {
    stdout: "",
    stderr:
      `holdfast: Event ${count + 1} and those after it are missing: this machine has seen ${seen} events, and the ` +
      `database has ${count}. If you have restored an older database, lost the last changes in a fail-over or begun a ` +
      `new database, remove ${anchor}. Otherwise an old database was put back: compare it with an export that is ` +
      "stored elsewhere.\n",
    exitCode: 1,
  };
  expect(await holdfast("audit", "verify")).toEqual(found);
  expect(await holdfast("audit", "verify", exported, "--compare")).toEqual(found);
  expect(readFileSync(anchor, "utf8")).toBe(anchored);

  rmSync(anchor);
  const accepted = await holdfast("audit", "verify");
  expect([accepted.exitCode, accepted.stdout]).toEqual([
    0,
    expect.stringContaining(`because there is no file ${anchor} yet: a running service makes it.`),
  ]);
}, 120_000);

test("a change of the secret seals the anchor anew; one that was not is said not to have been compared", async () => {
  await serveShortly();
  const former = readFileSync(anchor, "utf8");
  expect((await holdfast("key", "reseal")).exitCode).toBe(0);
  const compared = await holdfast("audit", "verify");
  expect([compared.exitCode, compared.stdout]).toEqual([0, expect.stringContaining("It goes on from event ")]);
  writeFileSync(anchor, former);
  const unopened = await holdfast("audit", "verify");
  expect([unopened.exitCode, unopened.stdout]).toEqual([
    0,
    expect.stringContaining(`because the secret does not open ${anchor}: a running service replaces it.`),
  ]);
}, 120_000);
