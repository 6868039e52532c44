import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { anchorPath, findRollback, readAnchor, resealAnchor, writeAnchor } from "../../src/audit/anchor";
import { openHead } from "../../src/audit/chain-head";
import { type AnchorParts, keepAnchor } from "../../src/audit/keep-anchor";
import { verifyChain } from "../../src/audit/verify-chain";
import { DatabaseUnavailable } from "../../src/database/errors";
import { createSealer } from "../../src/secrets/seal";
import { readSettings } from "../../src/settings/settings";
import { startService } from "../../src/start/start-service";
import { createLog } from "../../src/telemetry/log";
import { openPlane, type Plane } from "../harness";

const other = createSealer(new Uint8Array(32).fill(7));

let plane: Plane;
let path: string;
let token: string;
beforeEach(async () => {
  plane = await openPlane({ log_level: "warn" });
  path = anchorPath(plane.folder);
  token = (await plane.serviceToken("owner")).token;
});
afterEach(() => plane.close());

/** Makes one event. */
async function addEvent(name = "Reader"): Promise<void> {
  const body = { name: `${name} ${crypto.randomUUID()}`, permissions: ["tasks:read"] };
  expect((await plane.ask("/roles", { token, method: "POST", body })).status).toBe(201);
}

const headNow = () => plane.database.snapshot((db) => openHead(db, plane.controlPlane.sealer));
const anchorNow = () => readAnchor(path, plane.controlPlane.sealer);
const keep = (more: Partial<AnchorParts> = {}, database = plane.database) =>
  keepAnchor({ ...plane.controlPlane, database, dataDir: plane.folder, log: plane.service.log, ...more });
/** Looks as a service does that is started and stopped. */
const look = () => keep().stop();
const warnings = () =>
  plane.logged
    .join("")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Verdicts of a verifier on the database: of the chain by itself, and then against the anchor. */
const verdicts = async () => {
  const { head: anchor } = await anchorNow();
  return plane.database.snapshot(async (db) => {
    const { end } = await verifyChain(db, plane.controlPlane.sealer);
    return { count: end.count, rollback: anchor && (await findRollback(db, end, anchor)) };
  });
};

/** Keeps how the trail ends, to put it back later. */
async function rememberEnd(): Promise<() => Promise<void>> {
  const { count } = await headNow();
  const { sealed } = await plane.database.snapshot((db) =>
    db.selectFrom("audit_head").select("sealed").executeTakeFirstOrThrow(),
  );
  return () =>
    plane.database.change(async (db) => {
      await db.deleteFrom("audit_events").where("number", ">", count).execute();
      await db.updateTable("audit_head").set({ sealed }).execute();
    });
}

const advice = () =>
  `If you have restored an older database, lost the last changes in a fail-over or begun a new database, remove ${path}. ` +
  "Otherwise an old database was put back: compare it with an export that is stored elsewhere.";

describe("T26: an audit trail that was rolled back, sealed end and all,", () => {
  test("is found by the anchor, although it is whole by itself", async () => {
    await addEvent();
    const putBack = await rememberEnd();
    const userId = await plane.addUser({ email: "victim@example.org" });
    expect((await plane.ask(`/users/${userId}`, { token, method: "DELETE" })).status).toBe(204);
    await look();
    expect(await verdicts()).toEqual({ count: 2, rollback: undefined });
    await putBack();
    expect(await verdicts()).toEqual({
      count: 1,
      rollback: "Event 2 and those after it are missing: this machine has seen 2 events, and the database has 1.",
    });
    await addEvent("covers it up");
    await addEvent("and more");
    expect(await verdicts()).toEqual({
      count: 3,
      rollback:
        "Event 2 is another one than this machine has seen: it, and maybe some before it, were removed, and others were written since.",
    });
  });

  test("is said of each comparison, which metrics show", async () => {
    await addEvent();
    const putBack = await rememberEnd();
    await addEvent();
    const seen: boolean[] = [];
    const compare = () => keep({ onCompared: (isThere) => seen.push(isThere) }).stop();
    await compare();
    expect(new Set(seen.splice(0))).toEqual(new Set([true]));
    await putBack();
    await compare();
    expect(new Set(seen)).toEqual(new Set([false]));
  });

  test("is warned of once per start; the anchor stays as it was, and the service goes on", async () => {
    await addEvent();
    const putBack = await rememberEnd();
    await addEvent();
    const keeper = keep({ pause: 2 });
    await until(async () => (await anchorNow()).head?.count === 2);
    await putBack();
    await until(() => warnings().length > 0);
    const anchored = readFileSync(path, "utf8");
    for (let more = 0; more < 3; more++) {
      await addEvent();
      await Bun.sleep(10);
    }
    await keeper.stop();
    expect(readFileSync(path, "utf8")).toBe(anchored);
    const warning = {
      time: expect.any(String),
      level: "warn",
      message: `The audit trail was rolled back. ${advice()}`,
      detail: "Event 2 and those after it are missing: this machine has seen 2 events, and the database has 1.",
    };
    expect(warnings()).toEqual([warning]);
    await look();
    expect(warnings()).toHaveLength(2);
  });

  test("is taken for good once the file is removed, also while the service runs", async () => {
    const putBack = await rememberEnd();
    await addEvent();
    const keeper = keep({ pause: 2 });
    await until(async () => (await anchorNow()).head?.count === 1);
    await putBack();
    await until(() => warnings().length === 1);
    rmSync(path);
    await until(async () => (await anchorNow()).head?.count === 0);
    await addEvent();
    await keeper.stop();
    expect((await anchorNow()).head).toEqual(await headNow());
    expect(warnings()).toHaveLength(1);
  });

  test("may be another database in the same folder, and the message says so", async () => {
    await addEvent();
    await look();
    const fresh = await openPlane({ data_dir: plane.folder });
    await keepAnchor({ ...fresh.controlPlane, dataDir: plane.folder, log: fresh.service.log }).stop();
    expect(fresh.logged.join("")).toContain("or begun a new database, remove");
    await fresh.close();
  });
});

describe("the anchor", () => {
  test("follows the trail, beside the requests and when the service stops", async () => {
    const keeper = keep({ pause: 2 });
    await until(async () => (await anchorNow()).head?.count === 0);
    await addEvent();
    await until(async () => (await anchorNow()).head?.count === 1);
    await addEvent();
    await keeper.stop();
    expect((await anchorNow()).head).toEqual(await headNow());
    expect(await verdicts()).toEqual({ count: 2, rollback: undefined });
    expect(warnings()).toEqual([]);
  });

  test("T24: is for its owner alone, tells nothing by itself, and is no sealed end of the database", async () => {
    await addEvent();
    const umask = process.umask(0o022);
    await look();
    process.umask(umask);
    const { hash } = await headNow();
    const text = readFileSync(path, "utf8");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(text).toMatch(/^[\w-]{40,}\n$/);
    const inside = Buffer.from(text, "base64url").toString("latin1");
    const secrets = [hash, readFileSync(`${plane.folder}/secret.key`, "utf8").trim()];
    expect(secrets.filter((secret) => text.includes(secret) || inside.includes(secret))).toEqual([]);
    const { sealed } = await plane.database.snapshot((db) =>
      db.selectFrom("audit_head").select("sealed").executeTakeFirstOrThrow(),
    );
    writeFileSync(path, sealed);
    expect(await anchorNow()).toEqual({ path, sealed, head: undefined });
  });

  test("never goes back, and several processes that keep it do not raise a false alarm", async () => {
    const { sealer } = plane.controlPlane;
    const ahead = { count: 9, hash: "9".repeat(64) };
    await writeAnchor(path, sealer, ahead);
    await writeAnchor(path, sealer, { count: 8, hash: "8".repeat(64) });
    expect((await anchorNow()).head).toEqual(ahead);
    rmSync(path);
    const keepers = [1, 1, 2].map((pause) => keep({ pause }));
    for (let more = 0; more < 30; more++) await addEvent();
    await Promise.all(keepers.map((keeper) => keeper.stop()));
    await look();
    expect((await anchorNow()).head).toEqual(await headNow());
    expect(warnings().map(({ message }) => message)).toEqual([]);
  });

  test("is whole at every moment, and nothing is left beside it", async () => {
    const { sealer } = plane.controlPlane;
    await writeAnchor(path, sealer, { count: 1, hash: "1".repeat(64) });
    let isWriting = true;
    const writing = (async () => {
      for (let count = 2; count <= 40; count++) await writeAnchor(path, sealer, { count, hash: "1".repeat(64) });
      isWriting = false;
    })();
    const seen: number[] = [];
    while (isWriting) seen.push((await anchorNow()).head?.count ?? -1);
    await writing;
    expect(seen).toEqual(seen.toSorted((one, two) => one - two));
    expect(seen[0]).toBeGreaterThan(0);
    expect(readdirSync(plane.folder).filter((name) => name.startsWith("audit"))).toEqual(["audit.anchor"]);
  });

  test("that cannot be written is told of once, and written as soon as it can be", async () => {
    const dataDir = join(plane.folder, "missing");
    await addEvent();
    const keeper = keep({ pause: 2, dataDir });
    await until(() => warnings().length > 0);
    await Bun.sleep(20);
    expect(warnings()).toEqual([
      {
        time: expect.any(String),
        level: "warn",
        message: `The newest audit event could not be noted in ${anchorPath(dataDir)}. The service retries every few seconds.`,
        error: expect.stringMatching(/audit\.anchor cannot be written \(.*\)\. Make its folder writable\.$/),
      },
    ]);
    mkdirSync(dataDir);
    await keeper.stop();
    expect((await readAnchor(anchorPath(dataDir), plane.controlPlane.sealer)).head).toEqual(await headNow());
  });

  test("is written once a database is back that was away, without a word of its own", async () => {
    let isAway = true;
    const away = () => Promise.reject(new DatabaseUnavailable("It is away."));
    const keeper = keep(
      { pause: 2 },
      { ...plane.database, dataVersions: () => (isAway ? away() : plane.database.dataVersions()) },
    );
    await addEvent();
    await Bun.sleep(20);
    expect((await anchorNow()).sealed).toBe(null);
    isAway = false;
    await keeper.stop();
    expect((await anchorNow()).head).toEqual(await headNow());
    expect(warnings()).toEqual([]);
  });

  test("of another secret is replaced, which is told of, and one that was sealed anew goes on to be compared", async () => {
    await addEvent();
    await look();
    const { sealer } = plane.controlPlane;
    await resealAnchor(path, sealer, other);
    expect((await readAnchor(path, other)).head).toEqual(await headNow());
    expect((await anchorNow()).head).toBe(undefined);
    await look();
    expect((await anchorNow()).head).toEqual(await headNow());
    expect(warnings().map(({ message }) => message)).toEqual([
      `The secret does not open ${path}, so the audit trail could not be compared with it. It is replaced. That is expected after a change of the secret.`,
    ]);
    await resealAnchor(path, other, sealer);
    expect((await anchorNow()).head).toEqual(await headNow());
  });
});

test("T26: a service that is started keeps the anchor in its data directory, and warns when it finds a rollback", async () => {
  const lines: string[] = [];
  const output = { write: (text: string) => lines.push(text), isTerminal: false };
  const log = createLog({ level: "warn", output, clock: Date.now });
  const flags = {
    ...{ data_dir: plane.folder, database_url: plane.databaseUrl },
    ...{ port: "0", base_url: "http://holdfast.test" },
  };
  const start = async () => {
    const running = await startService(readSettings({ flags, environment: {}, file: null }), {
      log,
      onBroken: () => {},
    });
    await running.stop({ drainSeconds: 0 });
  };
  const putBack = await rememberEnd();
  await start();
  expect((await anchorNow()).head).toEqual(await headNow());
  expect((await headNow()).count).toBeGreaterThan(0);
  expect(lines).toEqual([]);
  await putBack();
  await start();
  expect(lines.map((line) => JSON.parse(line).message)).toEqual([`The audit trail was rolled back. ${advice()}`]);
});

/** Waits for something that happens soon. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(2);
}
