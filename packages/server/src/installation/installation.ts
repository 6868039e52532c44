import { randomBytes } from "node:crypto";
import { unlinkSync } from "node:fs";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { addSigningKey } from "../access/tokens/signing-keys";
import { beginChain } from "../audit/chain-head";
import { recordAction } from "../audit/record-action";
import type { Database, Queries } from "../database/database";
import { noteBulkChange } from "../database/tasks/bulk-change";
import { createUnit } from "../resources/organizational-units/store";
import { writeDefaultRoles } from "../resources/roles/store";
import { createSealer, type Sealer } from "../secrets/seal";
import { opensCheck, sealCheck } from "../secrets/secret-check";
import { readSecretKey, type SecretSource } from "../secrets/secret-key";
import { SettingError } from "../settings/settings";

export const cursorKeyPurpose = "cursor key";

/** The secret does not open what the database holds. */
class WrongSecret extends SettingError {
  constructor() {
    super(
      "The secret is not the one that this database was made with. Give the right one in HOLDFAST_SECRET_KEY or secret_key_file. After holdfast key reseal, that is the new one.",
    );
  }
}

/** Facts about the control plane that a process is a part of. */
export interface Installation {
  /** Opens what only the holder of the secret may read. */
  sealer: Sealer;
  /** Seals cursors. */
  cursorSealer: Sealer;
}

/** Reads the secret, or makes one where nothing was made with another, and makes the database ready for use. */
export async function openInstallation(
  database: Database,
  source: Omit<SecretSource, "check">,
  now: number,
): Promise<Installation> {
  const secret = readSecretKey({ ...source, check: await database.snapshot(findSecretCheck) });
  try {
    return await prepareInstallation(database, secret.key, now);
  } catch (error) {
    if (!(error instanceof WrongSecret) || secret.newFile === undefined) throw error;
    // A leftover file would be taken for the secret of this database.
    unlinkSync(secret.newFile);
    throw new SettingError(
      `Another machine has made this control plane with its own secret: copy its secret.key to ${secret.newFile}, or set HOLDFAST_SECRET_KEY.`,
    );
  }
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
    throw new WrongSecret();
  }
  const cursorKey = sealer.open(row.sealed_cursor_key, cursorKeyPurpose);
  if (cursorKey === undefined)
    throw new SettingError("The key that seals cursors is damaged. Restore the database from a backup.");
  await writeDefaultRoles(database);
  return { sealer, cursorSealer: createSealer(Buffer.from(cursorKey, "base64url")) };
}

/** Seal that the secret of a database is checked with; nothing where it has not been made ready yet. */
async function findSecretCheck(db: Queries): Promise<string | undefined> {
  return (await findInstallation(db))?.secret_check;
}

async function findInstallation(db: Queries) {
  return db
    .selectFrom("installation")
    .select(["base_url", "base_url_is_set", "base_url_aliases", "secret_check", "sealed_cursor_key"])
    .where("id", "=", 1)
    .executeTakeFirst();
}

async function createInstallation(db: Queries, sealer: Sealer, now: number) {
  const row = {
    id: 1,
    base_url: null,
    base_url_is_set: 0,
    base_url_aliases: null,
    secret_check: sealCheck(sealer),
    sealed_cursor_key: sealer.seal(randomBytes(32).toString("base64url"), cursorKeyPurpose),
    created_at: now,
  };
  await db.insertInto("installation").values(row).execute();
  await createUnit(db, { id: rootUnitId, name: "Root", parentId: null, createdAt: now });
  await addSigningKey(db, sealer, now);
  await beginChain(db, sealer);
  await noteBulkChange(db, now);
  return row;
}

/** The base URL of a service that starts. */
export interface StartedBaseUrl {
  baseUrl: string;
  /** True if it was set; otherwise it is derived from host and port. */
  isSet: boolean;
  aliases: readonly string[];
}

/** Base URLs that were noted before, and now. */
export interface NotedBaseUrls {
  before: string | undefined;
  noted: string;
}

/**
 * Notes the base URL and its aliases, so that the command line makes tokens for it and knows which ones are valid. A derived one does not replace
 * one that was set: a node without the setting would invalidate the tokens of all others.
 */
export async function noteBaseUrl(
  { database, sealer }: { database: Database; sealer: Sealer },
  { baseUrl, isSet, aliases }: StartedBaseUrl,
  now: number,
): Promise<NotedBaseUrls> {
  const row = await database.snapshot(findInstallation);
  const before = row?.base_url ?? undefined;
  const wasSet = row?.base_url_is_set === 1;
  const aliasesBefore = row?.base_url_aliases ?? null;
  const aliasesNow = aliases.join(",") || null;
  if (before !== undefined && wasSet && !isSet) return { before, noted: before };
  if (before !== baseUrl || wasSet !== isSet || aliasesBefore !== aliasesNow) {
    await database.change(async (db) => {
      const { numUpdatedRows } = await db
        .updateTable("installation")
        .set({ base_url: baseUrl, base_url_is_set: isSet ? 1 : 0, base_url_aliases: aliasesNow })
        .where("id", "=", 1)
        // Another process may have set one meanwhile.
        .$if(!isSet, (query) => query.where("base_url_is_set", "=", 0))
        .executeTakeFirst();
      const isSame = before === baseUrl && aliasesBefore === aliasesNow;
      if (isSame || numUpdatedRows === 0n || (before === undefined && aliasesNow === null)) return;
      const action = { operation: "change-base-url", object: null, unitId: rootUnitId };
      const states = {
        before: { base_url: before ?? null, base_url_aliases: aliasesBefore },
        after: { base_url: baseUrl, base_url_aliases: aliasesNow },
      };
      await recordAction(db, { kind: "system", sealer, at: now }, { ...action, ...states });
    });
  }
  return { before, noted: baseUrl };
}
