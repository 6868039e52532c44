import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { SettingError } from "../settings";

const shortest = 32;

/** Where the secret may come from, in this order. */
export interface SecretSource {
  secretKey: string | undefined;
  secretKeyFile: string | undefined;
  dataDir: string;
  /** Whether a new secret can be made: not for a database that was sealed with another one. */
  canMake: boolean;
}

/**
 * Reads the secret that everything confidential in the database is sealed with. Without one from the settings it is
 * `secret.key` in the data directory, made at first use and readable by its owner alone.
 */
export function readSecretKey({ secretKey, secretKeyFile, dataDir, canMake }: SecretSource): Uint8Array {
  if (secretKey !== undefined) return acceptSecret(secretKey, "HOLDFAST_SECRET_KEY");
  const path = secretKeyFile ?? join(dataDir, "secret.key");
  if (!existsSync(path)) {
    if (secretKeyFile !== undefined) {
      throw new SettingError(
        `There is no file ${path}. Make it with: openssl rand -base64 48 > ${path} && chmod 600 ${path}`,
      );
    }
    if (!canMake) {
      throw new SettingError(
        `The secret that this database was made with is missing: restore ${path}, or give it in HOLDFAST_SECRET_KEY.`,
      );
    }
    makeSecretFile(path);
  }
  if ((statSync(path).mode & 0o077) !== 0) {
    throw new SettingError(`The secret in ${path} can be read by others. Run: chmod 600 ${path}`);
  }
  return acceptSecret(readFileSync(path, "utf8"), path);
}

/** Writes a new secret, whole or not at all. Of two processes that start at once the second keeps what the first made. */
function makeSecretFile(path: string): void {
  const draft = `${path}.${process.pid}`;
  // On the disk before anything is sealed with it: after a power cut an empty file would be left of it.
  writeFileSync(draft, `${randomBytes(48).toString("base64")}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
    syncFolder(dirname(path));
  } catch (error) {
    if (!existsSync(path)) throw error;
  } finally {
    unlinkSync(draft);
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  fsyncSync(folder);
  closeSync(folder);
}

function acceptSecret(text: string, origin: string): Uint8Array {
  const secret = text.trim();
  if (secret.length < shortest || new Set(secret).size < 8) {
    throw new SettingError(
      `The secret in ${origin} is too easy to guess: it needs ${shortest} random characters or more. Make one with: openssl rand -base64 48`,
    );
  }
  return new TextEncoder().encode(secret);
}
