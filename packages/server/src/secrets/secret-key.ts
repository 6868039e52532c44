import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import { SettingError } from "../settings/settings";
import { createSealer } from "./seal";
import { opensCheck } from "./secret-check";

const shortest = 32;

/** Where the secret may come from, in this order. */
export interface SecretSource {
  secretKey: string | undefined;
  secretKeyFile: string | undefined;
  dataDir: string;
  /** Seal that the secret of the database is checked with. Without it a new secret can be made. */
  check: string | undefined;
}

/** A secret that was read. */
export interface Secret {
  key: Uint8Array;
  /** The file that it is in, where this very process has just made that. */
  newFile?: string;
}

/** The file that holds the secret, where it does not come from the settings themselves. */
export function secretPath({ secretKey, secretKeyFile, dataDir }: Omit<SecretSource, "check">): string | undefined {
  return secretKey === undefined ? (secretKeyFile ?? join(dataDir, "secret.key")) : undefined;
}

/**
 * Reads the secret that everything confidential in the database is sealed with. Without one from the settings it is
 * `secret.key` in the data directory, made at first use and readable by its owner alone.
 */
export function readSecretKey(source: SecretSource): Secret {
  const { secretKey, secretKeyFile, check } = source;
  const path = secretPath(source);
  if (path === undefined) return { key: acceptSecret(secretKey ?? "", "HOLDFAST_SECRET_KEY") };
  let isNew = false;
  if (!existsSync(path)) {
    if (secretKeyFile !== undefined) {
      throw new SettingError(
        `There is no file ${path}. Make it with: openssl rand -base64 48 > ${path} && chmod 600 ${path}`,
      );
    }
    if (check !== undefined) {
      throw new SettingError(
        `The secret that this database was made with is missing: restore ${path}, or give it in HOLDFAST_SECRET_KEY.`,
      );
    }
    isNew = makeSecretFile(path);
  }
  if ((statSync(path).mode & 0o077) !== 0) {
    throw new SettingError(`The secret in ${path} can be read by others. Run: chmod 600 ${path}`);
  }
  const key = acceptSecret(readFileSync(path, "utf8"), path);
  if (isNew) return { key, newFile: path };
  if (check === undefined || opensCheck(createSealer(key), check)) return { key };
  return { key: adoptLeftSecret(path, check) ?? key };
}

/** A secret that is not taken from anywhere. */
export function makeSecret(): string {
  return randomBytes(48).toString("base64");
}

/** Keeps a new secret beside the one that is in use, on the disk before anything is sealed with it. */
export function stageSecret(path: string, secret: string): void {
  const staged = stagedPath(path);
  const draft = `${staged}.${process.pid}`;
  try {
    writeFileSync(draft, `${secret}\n`, { mode: 0o600, flush: true });
    renameSync(draft, staged);
    syncFolder(dirname(path));
  } catch (error) {
    const reason = errorMessage(error);
    throw new SettingError(
      `The new secret cannot be kept in ${staged} (${reason}), so nothing was changed. Make the folder writable, or give the old secret in HOLDFAST_SECRET_KEY and the new one in HOLDFAST_NEW_SECRET_KEY and replace the file yourself.`,
    );
  }
}

/** Puts a secret that was staged into the place of the one that was in use. */
export function adoptSecret(path: string, secret: string): void {
  const staged = stagedPath(path);
  // A service that started in between may have done so already.
  if (existsSync(staged) && readFileSync(staged, "utf8").trim() === secret) {
    renameSync(staged, path);
    syncFolder(dirname(path));
  }
}

/** Ends a change of the secret that was cut off: the database has the new one, but the file has not. */
function adoptLeftSecret(path: string, check: string): Uint8Array | undefined {
  const staged = stagedPath(path);
  for (const candidate of [staged, path].filter(existsSync)) {
    const text = readFileSync(candidate, "utf8").trim();
    const secret = acceptSecret(text, candidate);
    if (!opensCheck(createSealer(secret), check)) continue;
    try {
      adoptSecret(path, text);
    } catch {
      throw new SettingError(`The secret was changed, but its file was not. Run: mv ${staged} ${path}`);
    }
    return secret;
  }
  return undefined;
}

function stagedPath(path: string): string {
  return `${path}.new`;
}

/**
 * Writes a new secret, whole or not at all. Of two processes that start at once the second keeps what the first made: then
 * this gives false.
 */
function makeSecretFile(path: string): boolean {
  const draft = `${path}.${process.pid}`;
  // On the disk before anything is sealed with it: after a power cut an empty file would be left of it.
  writeFileSync(draft, `${makeSecret()}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
    syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (!existsSync(path)) throw error;
    return false;
  } finally {
    unlinkSync(draft);
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  fsyncSync(folder);
  closeSync(folder);
}

/** Reads a secret, and refuses one that could be guessed. */
export function acceptSecret(text: string, origin: string): Uint8Array {
  const secret = text.trim();
  if (secret.length < shortest || new Set(secret).size < 8) {
    throw new SettingError(
      `The secret in ${origin} is too easy to guess: it needs ${shortest} random characters or more. Make one with: openssl rand -base64 48`,
    );
  }
  return new TextEncoder().encode(secret);
}
