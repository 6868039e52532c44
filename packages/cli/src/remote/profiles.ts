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
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { WrongUse } from "../grammar/wrong-use";

/** Where a service is, and the token that it is called with. */
export interface Profile {
  url: string;
  token: string;
}

/** The services that a person has logged in to. */
export interface Profiles {
  /** The one that is used where no other is named. */
  current: string | undefined;
  byName: ReadonlyMap<string, Profile>;
}

type Environment = Record<string, string | undefined>;

export const usualProfile = "default";
const none: Profiles = { current: undefined, byName: new Map() };

/** The file of a person's profiles: below $XDG_CONFIG_HOME, or ~/.config. */
export function profilesPath(environment: Environment): string {
  const given = environment.XDG_CONFIG_HOME ?? "";
  const folder = given.startsWith("/") ? given : join(environment.HOME || homedir(), ".config");
  return join(folder, "holdfast", "profiles.json");
}

/** Reads the profiles. A file that others can read is refused, because it has tokens in it. */
export function readProfiles(environment: Environment): Profiles {
  const path = profilesPath(environment);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return none;
  if ((stats.mode & 0o077) !== 0) {
    throw new WrongUse(
      `Others on this machine can read the tokens in ${path}. Run chmod 600 ${path}, and replace the tokens in it.`,
    );
  }
  try {
    return profilesIn(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    throw new WrongUse(`The file ${path} cannot be read. Remove it, and log in again: holdfast login`);
  }
}

function profilesIn(stored: { current?: unknown; profiles: Record<string, Partial<Record<keyof Profile, unknown>>> }) {
  const byName = new Map<string, Profile>();
  for (const [name, { url, token }] of Object.entries(stored.profiles)) {
    if (typeof url !== "string" || typeof token !== "string") throw new TypeError("No profile.");
    byName.set(name, { url, token });
  }
  return { current: typeof stored.current === "string" ? stored.current : undefined, byName };
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
