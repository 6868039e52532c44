import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { variation } from "../../../packages/server/test/runs";
import { workspace } from "../locked-packages";
import { packageForDebian } from "../package-for-debian";
import { ownTarget } from "../targets";
import { type BuiltExecutable, type Ended, run } from "./built-executable";
import { type Machine, obstacle, startMachine } from "./machine";

const environment = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
const packaging = join(workspace, "packaging/debian");
const createFirstToken = "holdfast token create --data-dir /var/lib/holdfast --kind service --name first --role owner";
const isReady = "curl --silent --fail --output /dev/null http://127.0.0.1:8080/readyz";
const untilReady = `for i in $(seq 300); do ${isReady} && break; sleep 0.2; done; holdfast health`;

/** Tests of the Debian packages of an executable that was built. */
export function debian(built: () => BuiltExecutable): void {
  const pack = (debianVersion: string, packing: "none" | "gzip" = "none") =>
    packageForDebian({ folder: built().folder, target: ownTarget(), packing, debianVersion, tell: () => {} });

  describe("the units", () => {
    test.each([
      ["holdfast.service", 2],
      ["holdfast-spool.service", 3],
      ["holdfast-backup.service", 2],
    ])("%s is open to less than %d of 10 attacks that systemd knows", async (unit, max) => {
      const command = ["systemd-analyze", "security", "--offline=true", "--no-pager", join(packaging, unit)];
      const { output } = await run(command, { cwd: "/", environment: { ...environment, LC_ALL: "C.UTF-8" } });
      const [, level] = /Overall exposure level for \S+: ([0-9.]+)/.exec(output) ?? [];
      expect(Number(level)).toBeLessThan(max);
    });
  });

  describe.skipIf(obstacle !== "")(`on a Debian machine${obstacle}`, () => {
    let machine: Machine;
    const on = async (script: string): Promise<Ended> => machine.run(script);
    const install = (version: string) =>
      on(`dpkg --install /given/holdfast_${version}_*.deb /given/holdfast-server_${version}_*.deb`);

    beforeAll(async () => {
      await pack("0.0.8-1");
      await pack("0.0.9-1");
      machine = await startMachine(built().makeFolder(), built().folder);
    }, 240_000);
    afterAll(() => machine.stop());

    test("the packages start the service as a user of its own, and root's commands work on its data", async () => {
      expect(await install("0.0.8-1")).toMatchObject({ exitCode: 0 });
      expect(await on(untilReady)).toMatchObject({ exitCode: 0, output: "ready\n" });
      expect(
        await on("systemd-analyze verify --man=no holdfast.service holdfast-spool.timer holdfast-backup.timer"),
      ).toMatchObject({
        exitCode: 0,
        errors: expect.not.stringContaining("holdfast"),
      });
      expect(await on(`${createFirstToken} > /root/token`)).toMatchObject({ exitCode: 0 });
      // Also a note beside the database, which the service reads and writes.
      expect(await on("holdfast database backup /var/lib/holdfast/by-hand.db")).toMatchObject({ exitCode: 0 });
      expect((await on("ps -o user= -C holdfast; stat -c %U /var/lib/holdfast/*")).output).toMatch(
        /^holdfast\n(holdfast\n)+$/,
      );
      expect((await on("stat -c '%U:%G %a' /etc/holdfast/holdfast.json")).output).toBe("root:holdfast 640\n");
      const refused = await on("setpriv --reuid=65534 --clear-groups holdfast token list --data-dir /var/lib/holdfast");
      expect([refused.exitCode, refused.errors]).toEqual([2, expect.stringContaining("Run the command with sudo")]);
    }, 120_000);

    test("what root's backups could not report waits in /var/spool/holdfast, and the timer's unit delivers it", async () => {
      const report = "HOLDFAST_TOKEN=$(cat /root/token) holdfast run --linger 0s --quiet -- true";
      await on(`systemctl stop holdfast; ${report}; cp /root/token /etc/holdfast/token; systemctl start holdfast`);
      expect((await on("ls /var/spool/holdfast/*.ndjson")).exitCode).toBe(0);
      expect(
        await on(`${untilReady}; systemctl start holdfast-spool.service; find /var/spool/holdfast -name "*.ndjson"`),
      ).toMatchObject({
        exitCode: 0,
        output: "ready\n",
      });
      expect((await on("systemctl is-active holdfast-spool.timer")).output).toBe("active\n");
    }, 120_000);

    test("the timer's unit backs up Holdfast every night, keeps seven copies, and reports itself; one of them is restored", async () => {
      expect((await on("systemctl is-active holdfast-backup.timer")).output).toBe("active\n");
      const copies = "/var/backups/holdfast/holdfast-*Z.db";
      await on('cd /var/backups/holdfast; for day in 1 2 3 4 5 6 7; do touch "holdfast-2026010$day"T023000Z.db; done');
      expect(await on("systemctl start holdfast-backup.service")).toMatchObject({ exitCode: 0 });
      expect(
        (await on(`ls ${copies} | wc -l; ls ${copies} | head -n 1; stat -c '%U %a' $(ls ${copies} | tail -n 1)`))
          .output,
      ).toBe("7\n/var/backups/holdfast/holdfast-20260102T023000Z.db\nholdfast 600\n");
      const listed = await on("holdfast task list --local --type holdfast_backup -o ndjson");
      expect(JSON.parse(listed.output)).toMatchObject({ status: "completed", primary_entity: { type: "database" } });

      const newest = `$(ls ${copies} | tail -n 1)`;
      const refused = await on(`holdfast database restore ${newest}`);
      expect([refused.exitCode, refused.errors]).toEqual([1, expect.stringContaining("Stop the service first")]);
      const restored = await on(
        `systemctl stop holdfast; holdfast database restore ${newest}; systemctl start holdfast`,
      );
      expect(restored).toMatchObject({
        exitCode: 0,
        errors: expect.stringContaining("Restored /var/lib/holdfast/holdfast.db."),
      });
      expect(await on(untilReady)).toMatchObject({ exitCode: 0, output: "ready\n" });
      expect((await on("stat -c %U /var/lib/holdfast/*")).output).toMatch(/^(holdfast\n)+$/);
      await on(`rm ${copies}`);
    }, 120_000);

    test("an upgrade copies the database before the new program is there, keeps three copies whatever else is there, and starts the service again", async () => {
      // dpkg works in the root folder: a name that is read as lines would remove the victim there.
      const hostile = "$(printf 'before-upgrade-from-a\\n0 victim\\n.db')";
      const earlier = `touch --date @1 "${hostile}" 'before-upgrade-from-0.0.7 1.db'`;
      const newer = "touch --date @2 before-upgrade-from-0.0.7-2.db before-upgrade-from-0.0.7-3.db";
      await on(`touch /victim; cd /var/backups/holdfast; ${earlier}; ${newer}`);
      const upgraded = await install("0.0.9-1");
      expect(upgraded.exitCode).toBe(0);
      expect((await on("ls /victim; ls -1 --quoting-style=c /var/backups/holdfast")).output).toMatch(
        /^\/victim\n"before-upgrade-from-0.0.7-2.db"\n"before-upgrade-from-0.0.7-3.db"\n"before-upgrade-from-0.0.8-1-\w+.db"\n$/,
      );
      await on("rm /var/backups/holdfast/before-upgrade-from-0.0.7-*");
      const lines = upgraded.output.split("\n");
      const copied = lines.findIndex((line) => line.includes("The database was copied to /var/backups/holdfast/"));
      expect(copied).toBeGreaterThan(0);
      expect(copied).toBeLessThan(lines.findIndex((line) => line.startsWith("Unpacking holdfast (0.0.9-1)")));
      expect(await on(untilReady)).toMatchObject({ exitCode: 0, output: "ready\n" });
      expect((await on("stat -c '%U %a' /var/backups/holdfast/*.db")).output).toBe("holdfast 600\n");
      const asked = 'curl --silent --header "Authorization: Bearer $(cat /root/token)" http://127.0.0.1:8080/tasks';
      expect((await on(asked)).output).toContain('"total_count":1,');
    }, 120_000);

    variation(
      "an upgrade is refused where the database cannot be copied, and the old version serves on",
      async () => {
        const full = "mount -t tmpfs -o size=16k,mode=777 tmpfs /var/backups/holdfast";
        expect(await on(full)).toMatchObject({ exitCode: 0 });
        const refused = await on("dpkg --install /given/holdfast_0.0.8-1_*.deb");
        expect([refused.exitCode, refused.errors]).toEqual([
          1,
          expect.stringContaining("so the new version is not installed"),
        ]);
        expect((await on("umount /var/backups/holdfast; dpkg-query --show holdfast")).output).toBe(
          "holdfast\t0.0.9-1\n",
        );
        expect(await on(untilReady)).toMatchObject({ exitCode: 0, output: "ready\n" });
      },
      120_000,
    );

    test("removed, the data stays; purged, only the copies in /var/backups do", async () => {
      expect(await on("dpkg --remove holdfast-server holdfast")).toMatchObject({ exitCode: 0 });
      expect((await on("ls /var/lib/holdfast/holdfast.db /etc/holdfast/holdfast.json")).exitCode).toBe(0);
      expect((await on("systemctl is-active holdfast.service || true")).output).toBe("inactive\n");
      expect(await on("dpkg --purge holdfast-server holdfast")).toMatchObject({ exitCode: 0 });
      const left = "find /etc /lib/systemd /usr/bin /usr/lib /usr/share /var/lib /var/spool -name '*holdfast*'";
      // In it is the token, which was not put there by a package.
      expect((await on(left)).output).toBe("/etc/holdfast\n");
      expect((await on("ls /var/backups/holdfast")).output).toStartWith("before-upgrade-from-0.0.8-1-");
    }, 120_000);
  });

  variation(
    "lintian finds nothing in the packages that is not meant so",
    async () => {
      const packages = await pack("1.0.0-1", "gzip");
      const command = ["lintian", "--allow-root", "--fail-on", "error,warning", ...packages];
      expect(await run(command, { cwd: "/tmp", environment })).toMatchObject({ exitCode: 0, output: "" });
    },
    600_000,
  );
}
