import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

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

export const defaultProfile = "default";

/** The file of a person's profiles: below $XDG_CONFIG_HOME, or ~/.config. */
export function profilesPath(environment: Environment): string {
  const given = environment.XDG_CONFIG_HOME ?? "";
  const folder = given.startsWith("/") ? given : join(environment.HOME || homedir(), ".config");
  return join(folder, "holdfast", "profiles.json");
}

/** Reads the text of a file of profiles. Throws where it is none. */
export function parseProfiles(text: string): Profiles {
  const stored: { current?: unknown; profiles: Record<string, Partial<Record<keyof Profile, unknown>>> } =
    JSON.parse(text);
  const byName = new Map<string, Profile>();
  for (const [name, { url, token }] of Object.entries(stored.profiles)) {
    if (typeof url !== "string" || typeof token !== "string") throw new TypeError("No profile.");
    byName.set(name, { url, token });
  }
  return { current: typeof stored.current === "string" ? stored.current : undefined, byName };
}

/**
 * The profile that a run is reported with: the current one, or the one of an address that is given. Undefined where there is none,
 * where the file cannot be read, and where others can read it: a backup never fails because of a profile.
 */
export function findProfile(environment: Environment, url: string | undefined): Profile | undefined {
  try {
    const path = profilesPath(environment);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile() || (stats.mode & 0o077) !== 0) return undefined;
    const { byName, current } = parseProfiles(readFileSync(path, "utf8"));
    const named = byName.get(environment.HOLDFAST_PROFILE || current || defaultProfile);
    if (url === undefined || environment.HOLDFAST_PROFILE) return isFor(named, url) ? named : undefined;
    return [named, ...byName.values()].find((profile) => isFor(profile, url));
  } catch {
    return undefined;
  }
}

/** The token of a profile is sent to the address of that profile alone. */
function isFor(profile: Profile | undefined, url: string | undefined): boolean {
  return url === undefined || profile?.url.replace(/\/+$/, "") === url.replace(/\/+$/, "");
}
