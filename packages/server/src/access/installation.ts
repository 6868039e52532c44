import { randomBytes } from "node:crypto";
import type { Database, Queries } from "../database/database";
import { beginChain } from "../observe/audit/chain-head";
import { createUnit, rootUnitId } from "../resources/organizational-units/store";
import { writeDefaultRoles } from "../resources/roles/store";
import { SettingError } from "../settings";
import { createSealer, type Sealer } from "./seal";
import { opensCheck, sealCheck } from "./secret-check";
import { addSigningKey } from "./signing-keys";

export const cursorKeyPurpose = "cursor key";

/** What a process needs to know of the control plane that it is a part of. */
export interface Installation {
  /** Opens what only the holder of the secret may read. */
  sealer: Sealer;
  /** Seals cursors. */
  cursorSealer: Sealer;
}

/** Makes an empty database ready for use, or checks that the secret is the one that it was made with. */
export async function prepareInstallation(
  database: Database,
  secretKey: Uint8Array,
  now: number,
): Promise<Installation> {
  const sealer = createSealer(secretKey);
  const row =
    (await database.snapshot(findInstallation)) ??
    (await database.change(async (db) => (await findInstallation(db)) ?? (await createInstallation(db, sealer, now))));
  if (!opensCheck(sealer, row.secret_check)) {
    throw new SettingError(
      "The secret is not the one that this database was made with. Give the right one in HOLDFAST_SECRET_KEY or secret_key_file. After holdfast key reseal, that is the new one.",
    );
  }
  const cursorKey = sealer.open(row.sealed_cursor_key, cursorKeyPurpose);
  if (cursorKey === undefined)
    throw new SettingError("The key that seals cursors is damaged. Restore the database from a backup.");
  await writeDefaultRoles(database);
  return { sealer, cursorSealer: createSealer(Buffer.from(cursorKey, "base64url")) };
}

/** What the secret of a database is checked with; nothing where it has not been made ready yet. */
export async function findSecretCheck(db: Queries): Promise<string | undefined> {
  return (await findInstallation(db))?.secret_check;
}

async function findInstallation(db: Queries) {
  return db
    .selectFrom("installation")
    .select(["base_url", "secret_check", "sealed_cursor_key"])
    .where("id", "=", 1)
    .executeTakeFirst();
}

async function createInstallation(db: Queries, sealer: Sealer, now: number) {
  const row = {
    id: 1,
    base_url: null,
    secret_check: sealCheck(sealer),
    sealed_cursor_key: sealer.seal(randomBytes(32).toString("base64url"), cursorKeyPurpose),
    created_at: now,
  };
  await db.insertInto("installation").values(row).execute();
  await createUnit(db, { id: rootUnitId, name: "Root", parentId: null, createdAt: now });
  await addSigningKey(db, sealer, now);
  await beginChain(db, sealer);
  return row;
}

/** The base URL that the service was last started with. */
export async function notedBaseUrl(db: Queries): Promise<string | undefined> {
  return (await findInstallation(db))?.base_url ?? undefined;
}

/** Notes the base URL, so that the command line makes tokens for it, and gives the one that was noted before. */
export async function noteBaseUrl(database: Database, baseUrl: string): Promise<string | undefined> {
  const before = await database.snapshot(notedBaseUrl);
  if (before !== baseUrl) {
    await database.change((db) =>
      db.updateTable("installation").set({ base_url: baseUrl }).where("id", "=", 1).execute(),
    );
  }
  return before;
}
