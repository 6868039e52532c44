import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, openPlane, type Plane } from "../../test/harness";
import { DatabaseBroken } from "../database/errors";
import { authorizationPurpose, webhookSecretPurpose } from "../resources/webhooks/webhook-secrets";
import { createSealer } from "../secrets/seal";
import { SecretChanged } from "../secrets/secret-check";
import { acceptSecret, adoptSecret, makeSecret, stageSecret } from "../secrets/secret-key";
import { totpPurpose } from "../sign-in/totp";
import { resealDatabase } from "./reseal";

let folder: string;
let plane: Plane;
let path: string;
beforeEach(async () => {
  folder = makeFolder();
  plane = await openPlane({}, folder);
  path = join(folder, "secret.key");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Seals everything anew up to the commit, as a command does that is killed before it can put the file in its place. */
async function resealWithoutAdopting(secret: string): Promise<void> {
  await plane.database.change((db) =>
    resealDatabase(db, {
      from: plane.controlPlane.sealer,
      to: createSealer(acceptSecret(secret, "test")),
      stage: () => stageSecret(path, secret),
    }),
  );
}

const sealedOnes = () =>
  plane.database.snapshot(async (db) => [
    ...(await db.selectFrom("installation").select(["secret_check", "sealed_cursor_key"]).execute()),
    ...(await db.selectFrom("signing_keys").select("sealed_private_key").execute()),
    ...(await db
      .selectFrom("users")
      .select("sealed_totp_secret")
      .where("sealed_totp_secret", "is not", null)
      .execute()),
    ...(await db.selectFrom("audit_head").select("sealed").execute()),
    ...(await db.selectFrom("monitors").select("sealed_url").execute()),
    ...(await db
      .selectFrom("webhooks")
      .select(["sealed_authorization", "sealed_secret", "sealed_old_secret"])
      .execute()),
  ]);

test("T25 after the secret was changed everything is sealed with the new one, and tokens and cursors stay good", async () => {
  const userId = await plane.addUser({ roles: [{ role: "owner" }] });
  const totp = plane.controlPlane.sealer.seal("JBSWY3DPEHPK3PXP", totpPurpose(userId));
  await plane.database.change((db) =>
    db.updateTable("users").set({ sealed_totp_secret: totp }).where("id", "=", userId).execute(),
  );
  await plane.addTasks([{}, {}]);
  const { token } = await plane.serviceToken("owner");
  await plane.ask("/keys", { method: "POST", token });
  const webhook = {
    ...{ name: "Ours", kind: "standard", url: "https://8.8.8.8/", events: ["task.failed"] },
    authorization: "Bearer of-the-receiver",
  };
  const { id: webhookId } = (await plane.ask("/webhooks", { method: "POST", token, body: webhook })).body;
  const rotated = await plane.ask(`/webhooks/${webhookId}/rotate`, { method: "POST", token });
  const { body: monitor } = await plane.ask("/monitors", { method: "POST", token, body: { name: "Files" } });
  const { next } = (await plane.ask("/tasks?limit=1", { token })).body._links;
  const [old, before] = [readFileSync(path, "utf8").trim(), await sealedOnes()];
  const secret = makeSecret();
  await resealWithoutAdopting(secret);
  adoptSecret(path, secret);
  expect(readFileSync(path, "utf8").trim()).toBe(secret);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => name.startsWith("secret"))).toEqual(["secret.key"]);
  const after = JSON.stringify(await sealedOnes());
  expect(before).not.toEqual([]);
  for (const sealed of before.flatMap((row) => Object.values(row))) expect(after).not.toContain(String(sealed));

  await expect(openPlane({ secret_key: old }, folder)).rejects.toThrow(
    "After holdfast key reseal, that is the new one.",
  );
  const again = await openPlane({}, folder);
  expect((await again.ask("/keys", { method: "POST", token })).status).toBe(201);
  expect((await again.ask(next.href, { token })).status).toBe(200);
  expect((await again.ask(`/monitors/${monitor.id}`, { token })).body.ping_url).toBe(monitor.ping_url);
  const stored = await again.database.snapshot((db) =>
    db.selectFrom("users").select("sealed_totp_secret").where("id", "=", userId).executeTakeFirstOrThrow(),
  );
  expect(again.controlPlane.sealer.open(stored.sealed_totp_secret ?? "", totpPurpose(userId))).toBe("JBSWY3DPEHPK3PXP");
  const hook = await again.database.snapshot((db) => db.selectFrom("webhooks").selectAll().executeTakeFirstOrThrow());
  const opened = (sealed: string | null, purpose: string) => again.controlPlane.sealer.open(sealed ?? "", purpose);
  expect(opened(hook.sealed_secret, webhookSecretPurpose(webhookId))).toBe(rotated.body.secret);
  expect(opened(hook.sealed_old_secret, webhookSecretPurpose(webhookId))).toMatch(/^whsec_/);
  expect(opened(hook.sealed_authorization, authorizationPurpose(webhookId))).toBe(webhook.authorization);
  await plane.database.close();
  await again.close();
});

test("T25 a change of the secret that was cut off after the commit is ended by the next start", async () => {
  const secret = makeSecret();
  await resealWithoutAdopting(secret);
  expect(existsSync(`${path}.new`)).toBe(true);
  const again = await openPlane({}, folder);
  expect([readFileSync(path, "utf8").trim(), existsSync(`${path}.new`)]).toEqual([secret, false]);
  const { token } = await again.serviceToken("owner");
  expect((await again.ask("/keys", { method: "POST", token })).status).toBe(201);
  await plane.database.close();
  await again.close();
});

test("T25 a change of the secret that was cut off before the commit has changed nothing", async () => {
  const old = readFileSync(path, "utf8");
  stageSecret(path, makeSecret());
  const again = await openPlane({}, folder);
  expect(readFileSync(path, "utf8")).toBe(old);
  await resealWithoutAdopting(makeSecret());
  await again.database.close();
  await (await openPlane({}, folder)).database.close();
  expect(readFileSync(path, "utf8")).not.toBe(old);
  await plane.close();
});

test("nothing is changed where anything cannot be opened", async () => {
  const userId = await plane.addUser({});
  await plane.database.change((db) =>
    db.updateTable("users").set({ sealed_totp_secret: "altered" }).where("id", "=", userId).execute(),
  );
  const before = await sealedOnes();
  await expect(resealWithoutAdopting(makeSecret())).rejects.toThrow(
    `The totp ${userId} cannot be opened, so nothing was changed.`,
  );
  expect([await sealedOnes(), existsSync(`${path}.new`)]).toEqual([before, false]);
  await plane.close();
});

test("nothing is changed where the new secret cannot be kept", async () => {
  const before = await sealedOnes();
  const lost = join(folder, "missing", "secret.key");
  const resealed = plane.database.change((db) =>
    resealDatabase(db, {
      from: plane.controlPlane.sealer,
      to: createSealer(acceptSecret(makeSecret(), "test")),
      stage: () => stageSecret(lost, makeSecret()),
    }),
  );
  await expect(resealed).rejects.toThrow(`The new secret cannot be kept in ${lost}.new`);
  expect(await sealedOnes()).toEqual(before);
  await plane.close();
});

test("a process that still has the old secret reads on, changes nothing, and asks for a restart", async () => {
  const { token } = await plane.serviceToken("owner");
  const secret = makeSecret();
  await resealWithoutAdopting(secret);
  adoptSecret(path, secret);
  const before = await sealedOnes();
  expect((await plane.ask("/tasks", { token })).status).toBe(200);
  const create = { method: "POST", token, body: { name: "x" } };
  for (const answer of [
    await plane.ask("/keys", { method: "POST", token }),
    await plane.ask("/organizational-units", create),
  ]) {
    expect([answer.status, answer.body.errors[0].error_code]).toEqual([503, 50301]);
  }
  expect(await sealedOnes()).toEqual(before);
  plane.service.log.flush();
  const told = plane.logged.join("").split("The secret was changed with holdfast key reseal. Restart the service");
  expect(told.length).toBeGreaterThan(2);
  // That is what makes a service end, so that whoever keeps it running starts it anew.
  expect(new SecretChanged()).toBeInstanceOf(DatabaseBroken);
  await expect(resealWithoutAdopting(makeSecret())).rejects.toThrow("The secret was changed");
  await plane.close();
});

test("a file that lies beside the secret by chance is left alone", async () => {
  writeFileSync(`${path}.new`, makeSecret(), { mode: 0o600 });
  await (await openPlane({}, folder)).database.close();
  expect(existsSync(`${path}.new`)).toBe(true);
  await plane.close();
});
