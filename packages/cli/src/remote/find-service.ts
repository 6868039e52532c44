import { readFileSync, statSync } from "node:fs";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import { defaultProfile, type Profile, type Profiles } from "@holdfast/runner/profiles";
import { UsageError } from "../grammar/usage-error";
import { explain } from "../output/write";
import { readProfiles } from "./profiles";

/** Options that select the service. */
export interface ServiceFlags {
  profile?: string;
  url?: string;
  tokenFile?: string;
}

/** The service that a command asks, and where its token comes from. */
export interface FoundService {
  /** The issuer of the token where it is left out. */
  url: string | undefined;
  token: string;
  /** The profile; undefined where the token is from a file or the environment. */
  profile: string | undefined;
}

type Environment = Record<string, string | undefined>;

/**
 * Finds the service to ask: what a flag names, then HOLDFAST_TOKEN, then a profile. Nothing where there is neither a token nor a
 * profile. The token of a profile is sent to the address of that profile alone.
 */
export function findService(
  { profile, url, tokenFile }: ServiceFlags,
  environment: Environment,
): FoundService | undefined {
  const wantedUrl = url ?? given(environment.HOLDFAST_URL);
  const token = tokenFile === undefined ? given(environment.HOLDFAST_TOKEN) : readToken(tokenFile);
  if (token !== undefined && profile === undefined) return { url: wantedUrl, token, profile: undefined };
  const profiles = readProfiles(environment);
  const name = profile ?? given(environment.HOLDFAST_PROFILE);
  if (name !== undefined) return named(profiles, name);
  if (profiles.byName.size === 0 && url === undefined) return undefined;
  return wantedUrl === undefined ? named(profiles, profiles.current ?? defaultProfile) : at(profiles, wantedUrl);
}

function named({ byName }: Profiles, name: string): FoundService {
  const found = byName.get(name);
  if (found) return { ...found, profile: name };
  const known = [...byName.keys()].join(", ");
  const choice = known === "" ? "" : ` There are: ${known}.`;
  throw new UsageError(`There is no profile ${name}.${choice} Make it with: holdfast login --profile ${name}`);
}

/** The profile with an address: the token of another one is not for it. */
function at({ byName, current }: Profiles, url: string): FoundService {
  const isThere = ([, profile]: [string, Profile]) => sameAddress(profile.url, url);
  const all = [...byName].filter(isThere);
  const [name, profile] = all.find(([one]) => one === current) ?? all[0] ?? [];
  if (name !== undefined && profile) return { ...profile, profile: name };
  throw new UsageError(`There is no token for ${url}. Log in with: holdfast login ${url}`);
}

function sameAddress(one: string, other: string): boolean {
  return one.replace(/\/+$/, "") === other.replace(/\/+$/, "");
}

function given(value: string | undefined): string | undefined {
  const trimmed = value?.trim() ?? "";
  return trimmed === "" ? undefined : trimmed;
}

function readToken(path: string): string {
  try {
    const token = readFileSync(path, "utf8").trim();
    if (token === "") throw new Error("it is empty");
    if ((statSync(path).mode & 0o007) !== 0) {
      explain(`Everyone on this machine can read the token in ${path}. Run chmod 600 ${path}, and replace the token.`);
    }
    return token;
  } catch (error) {
    throw new UsageError(`The token cannot be read from ${path} (${errorMessage(error)}). Name another file.`);
  }
}
