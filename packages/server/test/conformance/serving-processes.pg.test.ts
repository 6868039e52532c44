import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { hostname } from "node:os";
import { notedAddresses, notedBaseUrl } from "../../src/access/tokens/noted-base-url";
import { describeProcess, noteServing } from "../../src/database/serving-processes";
import { type RawSettings, readSettings } from "../../src/settings/settings";
import { startService } from "../../src/start/start-service";
import { createLog } from "../../src/telemetry/log";
import { holdDatabase } from "../folder-database";
import { makeFolder, openPlane, root } from "../harness";

const year = 31_536_000_000;
const folder = makeFolder();
const held = await holdDatabase(folder);
const plane = await openPlane({}, folder);
const lines: string[] = [];
const log = createLog({
  level: "warn",
  output: { write: (text) => lines.push(text), isTerminal: false },
  clock: Date.now,
});

afterAll(async () => {
  await plane.close();
  await held.release();
  rmSync(folder, { recursive: true, force: true });
});

function start(more: RawSettings = {}) {
  const flags = { data_dir: folder, database_url: held.url, port: "0", ...more };
  return startService(readSettings({ flags, environment: {}, file: null }), { log, onBroken: () => {} });
}

const noted = () => plane.database.snapshot(notedBaseUrl);

/** Makes tokens ones that were issued for an address. */
function setAddress(tokens: readonly { id: string }[], address: string) {
  const ids = tokens.map(({ id }) => id);
  return plane.database.change((db) =>
    db.updateTable("api_tokens").set({ base_url: address }).where("id", "in", ids).execute(),
  );
}

async function changesOfBaseUrl() {
  const rows = await plane.database.snapshot((db) =>
    db.selectFrom("audit_events").select("document").orderBy("number").execute(),
  );
  const events = rows.map(({ document }) => JSON.parse(document));
  return events
    .filter(({ operation }) => operation === "change-base-url")
    .map(({ before, after }) => [before.base_url, after.base_url]);
}

test("a service does not start on data that another one serves with another base URL, and changes nothing", async () => {
  const first = await start();
  const changes = await changesOfBaseUrl();
  const base_url = "https://backup.example.org";
  await expect(start({ base_url })).rejects.toThrow(
    `Another service uses the same data (${first.baseUrl}, process ${process.pid} on ${hostname()}), and tokens and links hold for one base URL, not for ${base_url} as well. Set base_url to ${first.baseUrl}, stop the other service first, or name other data with data_dir or database_url.`,
  );
  expect([await noted(), await changesOfBaseUrl(), lines]).toEqual([first.baseUrl, changes, []]);
  const sibling = await start({ base_url: first.baseUrl });
  await first.stop({ drainSeconds: 0 });
  await expect(start({ base_url })).rejects.toThrow(`Set base_url to ${first.baseUrl}`);
  await sibling.stop({ drainSeconds: 0 });
  const tokens = [await plane.serviceToken("viewer", root, year), await plane.serviceToken("viewer", root, year)];
  const ended = await plane.serviceToken("viewer", root, 1_000);
  await setAddress([...tokens, ended], first.baseUrl);
  const next = await start({ base_url });
  expect(await noted()).toBe(base_url);
  expect(await changesOfBaseUrl()).toEqual([...changes, [first.baseUrl, base_url]]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: "warn",
      message:
        "Tokens are refused, because they were issued for an address that the service had before. Name it in base_url_aliases to accept them, or make new ones and revoke these.",
      detail: `${first.baseUrl}: 2 of them`,
    },
  ]);
  await next.stop({ drainSeconds: 0 });
  lines.length = 0;
  const followed = await start({ base_url, base_url_aliases: first.baseUrl });
  expect(lines).toEqual([]);
  expect(await plane.database.snapshot(notedAddresses)).toEqual({ baseUrl: base_url, aliases: [first.baseUrl] });
  await followed.stop({ drainSeconds: 0 });
});

test("a process that has ended without saying so holds up no start: not here, and elsewhere not for long", async () => {
  const other = { base_url: "https://other.example.org" };
  const elsewhere = { ...describeProcess(other.base_url), host: "elsewhere.example.org" };
  const ended = Bun.spawnSync(["true"]).pid;
  await plane.database.change(async (db) => {
    await noteServing(db, elsewhere);
    await db
      .updateTable("serving_processes")
      .set((eb) => ({ seen_at: eb("seen_at", "-", 20_001) }))
      .execute();
    await noteServing(db, { ...describeProcess(other.base_url), pid: ended });
  });
  const running = await start({ base_url: "https://backup.example.org" });
  const rows = await plane.database.snapshot((db) => db.selectFrom("serving_processes").select("id").execute());
  expect(rows.map(({ id }) => id)).not.toContain(elsewhere.id);
  await running.stop({ drainSeconds: 0 });
  await plane.database.change((db) => noteServing(db, elsewhere));
  await expect(start({ base_url: "https://backup.example.org" })).rejects.toThrow(
    `Another service uses the same data (https://other.example.org, process ${process.pid} on elsewhere.example.org)`,
  );
});
