import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { runCommand, showCommand } from "./run-command";

/** A program that tests start. */
export interface Need {
  program: string;
  /** Why the tests want it. */
  use: string;
  debianPackage: string;
  /** A command that succeeds where the program is there. */
  proof: string[];
  /** Whether only the long run wants it. */
  isOfLongRun?: boolean;
}

/** Everything that the tests need and `npm ci` does not bring. */
const needs: readonly Need[] = [
  {
    program: "nginx",
    use: "a caching proxy in front of the service",
    debianPackage: "nginx",
    proof: ["nginx", "-v"],
  },
  { program: "strace", use: "watching system calls", debianPackage: "strace", proof: ["strace", "-V"] },
  {
    program: "a PostgreSQL server",
    use: "the other database",
    debianPackage: "postgresql",
    // Debian keeps the server's programs off the PATH.
    proof: ["sh", "-c", "ls /usr/lib/postgresql/*/bin/initdb || command -v initdb"],
  },
  {
    program: "pgbouncer",
    use: "a pooler in front of PostgreSQL",
    debianPackage: "pgbouncer",
    // Debian keeps daemons where only root's PATH leads.
    proof: ["sh", "-c", "PATH=$PATH:/usr/sbin command -v pgbouncer"],
  },
  {
    program: "haproxy",
    use: "a balancer in front of several processes",
    debianPackage: "haproxy",
    proof: ["haproxy", "-v"],
  },
  {
    program: "caddy",
    use: "another proxy in front of the service",
    debianPackage: "caddy",
    proof: ["caddy", "version"],
  },
  {
    program: "mkfs.ext4",
    use: "a disk to cut the power of",
    debianPackage: "e2fsprogs",
    proof: ["sh", "-c", "PATH=$PATH:/sbin:/usr/sbin command -v mkfs.ext4"],
  },
  { program: "mount", use: "mounting that disk", debianPackage: "mount", proof: ["sh", "-c", "command -v mount"] },
  { program: "openssl", use: "a certificate for the proxies", debianPackage: "openssl", proof: ["openssl", "version"] },
  ...[
    { program: "restic", proof: ["restic", "version"] },
    { program: "borg", debianPackage: "borgbackup", proof: ["borg", "--version"] },
    { program: "borgmatic", proof: ["borgmatic", "--version"] },
    { program: "curl", proof: ["curl", "--version"] },
    { program: "pgbackrest", proof: ["pgbackrest", "version"] },
    { program: "rclone", proof: ["rclone", "version"] },
    { program: "rsync", proof: ["rsync", "--version"] },
    { program: "tar", proof: ["tar", "--version"] },
    { program: "pg_dump", debianPackage: "postgresql-client", proof: ["pg_dump", "--version"] },
    { program: "setpriv", debianPackage: "util-linux", proof: ["setpriv", "--version"] },
    { program: "script", debianPackage: "bsdutils", proof: ["script", "--version"] },
  ].map((engine) => ({ debianPackage: engine.program, use: "running real backups", ...engine })),
  { program: "jq", use: "running the commands of the documentation", debianPackage: "jq", proof: ["jq", "--version"] },
  {
    program: "git",
    use: "running the commands of the documentation",
    debianPackage: "git",
    proof: ["git", "--version"],
  },
  {
    program: "systemd-analyze",
    use: "checking the units of the how-to guides",
    debianPackage: "systemd",
    proof: ["systemd-analyze", "--version"],
  },
  {
    program: "dpkg-deb",
    use: "building and installing the Debian packages",
    debianPackage: "dpkg",
    proof: ["dpkg-deb", "--version"],
  },
  { program: "adduser", use: "the user of the service", debianPackage: "adduser", proof: ["adduser", "--version"] },
  { program: "ps", use: "looking at processes", debianPackage: "procps", proof: ["ps", "--version"] },
  {
    program: "lintian",
    use: "checking the Debian packages",
    debianPackage: "lintian",
    proof: ["lintian", "--version"],
    isOfLongRun: true,
  },
  {
    program: "chromium-headless-shell",
    use: "a browser to attack",
    // It takes half of the processor time that the whole Chromium takes, which would do as well.
    debianPackage: "chromium-headless-shell",
    proof: ["sh", "-c", "command -v chromium-headless-shell || command -v chromium"],
  },
  {
    program: "patroni",
    use: "a PostgreSQL that fails over",
    debianPackage: "patroni",
    proof: ["patroni", "--version"],
    isOfLongRun: true,
  },
  {
    program: "etcd",
    use: "the lock of its primary",
    debianPackage: "etcd-server",
    // On some machines it starts only if that is asked for.
    proof: ["sh", "-c", "command -v etcd"],
    isOfLongRun: true,
  },
];

const servicePolicy = "/usr/sbin/policy-rc.d";

/** Installs what is missing where that is possible. Gives a sentence that says what to do where it is not. */
export async function meetNeeds(tell: (line: string) => void, isLong: boolean): Promise<string | undefined> {
  const missing = await missingNeeds(needs.filter(({ isOfLongRun = false }) => isLong || !isOfLongRun));
  if (missing.length === 0) return undefined;
  const packages = missing.map((need) => need.debianPackage);
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return instruction(missing);
  tell(`Installing ${packages.join(", ")} for the tests.`);
  await installPackages(packages);
  const stillMissing = await missingNeeds(missing);
  return stillMissing.length === 0 ? undefined : instruction(stillMissing);
}

/** Those of the programs that are not there. */
export async function missingNeeds(wanted: readonly Need[]): Promise<Need[]> {
  const found = await Promise.all(wanted.map((need) => isThere(need.proof)));
  return wanted.filter((_, index) => !found[index]);
}

/** Says what to install. */
export function instruction(missing: readonly Need[]): string {
  const reasons = missing.map((need) => `${need.program} (${need.use})`).join(", ");
  const packages = missing.map((need) => need.debianPackage).join(" ");
  return `The tests need ${reasons}. On Debian or Ubuntu run: sudo apt-get install --no-install-recommends ${packages}`;
}

async function isThere(proof: string[]): Promise<boolean> {
  try {
    return (await runCommand(proof)).exitCode === 0;
  } catch {
    return false;
  }
}

async function installPackages(packages: string[]): Promise<void> {
  // Tests start their own daemons on ports of their own; the packages' must not begin to serve this machine.
  const isPolicyOurs = !existsSync(servicePolicy);
  if (isPolicyOurs) await Bun.write(servicePolicy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  const environment = { DEBIAN_FRONTEND: "noninteractive" };
  const apt = ["apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=120"];
  try {
    await showCommand([...apt, "update"], environment);
    await showCommand([...apt, "install", "--no-install-recommends", ...packages], environment);
  } finally {
    if (isPolicyOurs) await rm(servicePolicy, { force: true });
  }
}
