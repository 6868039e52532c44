import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

const debianServers = "/usr/lib/postgresql";
const oldestVersion = 15;
/** Whom Debian's package makes for its server. */
const serverUser = "postgres";

/** PostgreSQL's own programs, and who has to run them. */
export interface PostgresPrograms {
  /** Command for a program such as `initdb`. It keeps its process id. */
  command(program: string, args: readonly string[]): string[];
  /** Command of the system that has to run as the server does. */
  asOwner(command: readonly string[]): string[];
  /** Where the programs are. */
  folder: string;
  /** Whose the files have to be, where that is not us. */
  owner: { uid: number; gid: number } | undefined;
  /** Our environment without what would lead the programs to another server. */
  environment: Record<string, string | undefined>;
}

/** Finds the newest server that is installed. */
export function findPostgresPrograms(): PostgresPrograms {
  const folder = findFolder();
  // PostgreSQL refuses to be root. setpriv becomes the program that it starts, so signals arrive.
  const isRoot = process.getuid?.() === 0;
  const under = isRoot ? ["setpriv", `--reuid=${serverUser}`, `--regid=${serverUser}`, "--init-groups"] : [];
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("PG"));
  return {
    command: (program, args) => [...under, join(folder, program), ...args],
    asOwner: (command) => [...under, ...command],
    folder,
    owner: isRoot ? { uid: numberOfUser("-u"), gid: numberOfUser("-g") } : undefined,
    environment: Object.fromEntries(inherited),
  };
}

function findFolder(): string {
  const versions = existsSync(debianServers) ? readdirSync(debianServers).map(Number) : [];
  const newest = Math.max(...versions.filter((version) => existsSync(debianFolder(version, "initdb"))));
  if (newest >= oldestVersion) return debianFolder(newest);
  const onPath = Bun.which("initdb");
  if (onPath !== null) return dirname(onPath);
  throw new Error(`There is no PostgreSQL server. Install PostgreSQL ${oldestVersion} or later.`);
}

function debianFolder(version: number, program = ""): string {
  return join(debianServers, String(version), "bin", program);
}

function numberOfUser(which: "-u" | "-g"): number {
  return Number(execFileSync("id", [which, serverUser], { encoding: "utf8" }));
}
