import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { UnusableDatabase } from "../errors";

/** Login that a password is looked up by. */
export interface Login {
  host: string;
  port: number;
  database: string;
  user: string;
}

export interface PasswordPlaces {
  environment: Record<string, string | undefined>;
  home: string;
}

const forOthers = 0o077;

/**
 * Finds the password that the address leaves out where all programs of PostgreSQL look for it: these variables and this
 * file are its own, not settings of ours.
 */
export function findPassword(
  login: Login,
  { environment, home }: PasswordPlaces = { environment: process.env, home: homedir() },
): string {
  if (environment.PGPASSWORD) return environment.PGPASSWORD;
  const path = environment.PGPASSFILE || join(home, ".pgpass");
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && (mode & forOthers) !== 0) {
    throw new UnusableDatabase(
      `The database asks for a password, and ${path} is not used because others may read it. Run chmod 600 on it.`,
    );
  }
  const found = mode === undefined ? undefined : searchPasswordFile(readFileSync(path, "utf8"), login);
  if (found !== undefined) return found;
  throw new UnusableDatabase(
    "The database asks for a password, and none was given. Put it into database_url, PGPASSWORD or ~/.pgpass.",
  );
}

/** The password of the first line that fits: `host:port:database:user:password`, where `*` fits everything. */
export function searchPasswordFile(text: string, { host, port, database, user }: Login): string | undefined {
  // Who comes by a socket in a folder is on the machine itself.
  const wanted = [host.startsWith("/") ? "localhost" : host, String(port), database, user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("#")) continue;
    const fields = line.match(/(?:\\.|[^:\\])+/g) ?? [];
    const [password, ...places] = [fields[4], ...fields.slice(0, 4)];
    const fits = places.length === 4 && places.every((field, i) => field === "*" || plain(field) === wanted[i]);
    if (fits && password !== undefined) return plain(password);
  }
  return undefined;
}

function plain(field: string): string {
  return field.replace(/\\(.)/g, "$1");
}
