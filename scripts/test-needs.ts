import { existsSync, globSync } from "node:fs";
import { rm } from "node:fs/promises";
import { delimiter } from "node:path";
import { path, runCommand } from "./run-command";

/** The Debian packages that the tests need, with `=` and their program where that has another name, or several that will do. */
const needs = `
  adduser borgbackup=borg borgmatic bsdutils=script caddy chromium-headless-shell=chromium-headless-shell|chromium
  curl dpkg=dpkg-deb e2fsprogs=mkfs.ext4 git haproxy jq mount nginx openssl pgbackrest pgbouncer postgresql=initdb
  postgresql-client=pg_dump procps=ps rclone restic rsync strace systemd=systemd-analyze tar util-linux=setpriv`;

/** Packages that only the long run needs. */
const needsOfLongRun = " etcd-server=etcd lintian patroni";

const servicePolicy = "/usr/sbin/policy-rc.d";

/** Installs what is missing where that is possible. Gives a sentence that says what to do where it is not. */
export async function meetNeeds(tell: (line: string) => void, isLong: boolean): Promise<string | undefined> {
  const wanted = isLong ? needs + needsOfLongRun : needs;
  const missing = missingPackages(wanted);
  if (missing.length === 0) return undefined;
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return instruction(missing);
  tell(`Installing ${missing.join(", ")} for the tests.`);
  await installPackages(missing, tell);
  const stillMissing = missingPackages(wanted);
  return stillMissing.length === 0 ? undefined : instruction(stillMissing);
}

/** The packages whose program is not there. */
export function missingPackages(wanted: string): string[] {
  // Debian keeps the programs of the PostgreSQL server off the PATH.
  const places = [path, ...globSync("/usr/lib/postgresql/*/bin")].join(delimiter);
  const isThere = (program: string) => Bun.which(program, { PATH: places }) !== null;
  return wanted
    .trim()
    .split(/\s+/)
    .flatMap((need) => {
      const [name = "", programs = name] = need.split("=");
      return programs.split("|").some(isThere) ? [] : [name];
    });
}

/** Says what to install. */
export function instruction(packages: readonly string[]): string {
  return `The tests need programs. On Debian or Ubuntu run: sudo apt-get install --no-install-recommends ${packages.join(" ")}`;
}

async function installPackages(packages: string[], tell: (line: string) => void): Promise<void> {
  // Tests start their own daemons on ports of their own; the packages' must not begin to serve this machine.
  const isPolicyOurs = !existsSync(servicePolicy);
  if (isPolicyOurs) await Bun.write(servicePolicy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  const apt = ["apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=120"];
  try {
    for (const rest of [["update"], ["install", "--no-install-recommends", ...packages]]) {
      const { exitCode, report } = await runCommand([...apt, ...rest], { DEBIAN_FRONTEND: "noninteractive" });
      if (exitCode !== 0) tell(report);
    }
  } finally {
    if (isPolicyOurs) await rm(servicePolicy, { force: true });
  }
}
