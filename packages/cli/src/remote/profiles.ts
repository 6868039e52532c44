import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { type Profiles, parseProfiles, profilesPath } from "@holdfast/runner/profiles";
import { UsageError } from "../grammar/usage-error";

type Environment = Record<string, string | undefined>;

const none: Profiles = { current: undefined, byName: new Map() };

/** Reads the profiles. A file that others can read is refused, because it has tokens in it. */
export function readProfiles(environment: Environment): Profiles {
  const path = profilesPath(environment);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return none;
  if ((stats.mode & 0o077) !== 0) {
    throw new UsageError(
      `Others on this machine can read the tokens in ${path}. Run chmod 600 ${path}, and replace the tokens in it.`,
    );
  }
  try {
    return parseProfiles(readFileSync(path, "utf8"));
  } catch {
    throw new UsageError(`The file ${path} cannot be read. Remove it, and log in again: holdfast login`);
  }
}

/** Writes the profiles, whole or not at all, for their owner alone. */
export function writeProfiles(environment: Environment, { current, byName }: Profiles): void {
  const path = profilesPath(environment);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const next = `${path}.${process.pid}`;
  rmSync(next, { force: true });
  const file = openSync(next, "wx", 0o600);
  try {
    writeSync(file, `${JSON.stringify({ current, profiles: Object.fromEntries(byName) }, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(next, path);
}
