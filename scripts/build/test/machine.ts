import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ended, run } from "./built-executable";

const apart = ["--mount", "--pid", "--uts", "--ipc", "--cgroup", "--net", "--propagation", "private", "--fork"];

/** Files of a machine: those of this one, changed in memory. */
const layFiles = `
mount -t tmpfs tmpfs "$FOLDER"
mkdir "$FOLDER/upper" "$FOLDER/work" "$FOLDER/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$FOLDER/upper,workdir=$FOLDER/work" "$FOLDER/root"
cd "$FOLDER/root"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
`;

/** Why no machine can be started here; nothing where one can. */
export const obstacle = findObstacle();

function findObstacle(): string {
  if (process.getuid?.() !== 0) return " (not run: starting a machine needs root)";
  const folder = mkdtempSync(join(tmpdir(), "holdfast-machine-"));
  const { success, stderr } = Bun.spawnSync(["unshare", ...apart, "sh", "-euc", layFiles], {
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", FOLDER: folder },
  });
  rmSync(folder, { recursive: true });
  return success ? "" : ` (not run: this system allows no machine inside it: ${stderr.toString().trim()})`;
}

/** A machine like this one, with a systemd of its own. What is changed there is gone with it. */
export interface Machine {
  /** Runs a shell script there, as root. */
  run(script: string): Promise<Ended>;
  stop(): Promise<void>;
}

/**
 * Starts systemd on a copy of this machine's files, in memory, without its services and apart from its network and its
 * processes. A folder of this machine is there as /given.
 */
export async function startMachine(folder: string, given: string): Promise<Machine> {
  const root = join(folder, "root");
  mkdirSync(root);
  const environment = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", FOLDER: folder, GIVEN: given };
  const child = Bun.spawn(["unshare", ...apart, "--kill-child", "sh", "-euc", boot], {
    env: environment,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const first = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "latin1").trim();
  const machine: Machine = {
    run: (script) =>
      run(["nsenter", "--target", first(), "--all", "--root", "sh", "-euc", `cd /\n${script}`], {
        cwd: "/",
        environment,
      }),
    async stop() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
  const isUp = async () => (await machine.run("systemctl is-system-running")).output.trim();
  const deadline = performance.now() + startTimeoutMs;
  while (child.exitCode === null && performance.now() < deadline) {
    // Some unit of this machine's may not start apart from it.
    if (["running", "degraded"].includes(await isUp().catch(() => ""))) return machine;
    await Bun.sleep(200);
  }
  child.kill("SIGKILL");
  throw new Error(`The machine did not start: ${await child.stderr.text()}`);
}

const startTimeoutMs = 60_000;

const boot = `${layFiles}mount --rbind /dev dev
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mkdir given old
mount --bind "$GIVEN" given
# Only what is installed there is to run, and to be started by its package.
rm -f etc/systemd/system/*.wants/* usr/sbin/policy-rc.d
rm -rf var/lib/holdfast
# An index of all manual pages takes longer than everything else.
rm -f var/lib/man-db/auto-update
ln -sf /lib/systemd/system/multi-user.target etc/systemd/system/default.target
pivot_root . old
umount -l old
exec env container=docker chroot . /lib/systemd/systemd --system
`;
