import { afterAll, expect, test } from "bun:test";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mountHangingDisk } from "../../../runner/test/hanging-disk";
import { findObstacle, makeDisk } from "../../../server/test/faults/loop-disk";
import { timeLimit } from "../../../server/test/runs";
import { endOf, spooled, until } from "./runner";
import { openRunWorld } from "./service";

const world = await openRunWorld();
afterAll(world.close);

const obstacle = findObstacle();
const reason = obstacle === undefined ? "" : ` (not run: ${obstacle})`;
const at = (name: string) => join(world.path, name);

test.skipIf(obstacle !== undefined)(
  `a spool on a disk that never answers delays neither the command nor its words, and the run is reported${reason}`,
  async () => {
    using _ = mountHangingDisk(at("gone"));
    const startedAt = Date.now();
    const script = "touch started; head -c 300000 /dev/zero | tr '\\0' x >&2; touch said; exit 3";
    const flags = ["--name", "no answer", "--spool-dir", at("gone/spool")];
    const { exitCode, stderr } = await world.run(flags, ["sh", "-c", script]);
    expect(exitCode).toBe(3);
    expect(statSync(at("started")).mtimeMs - startedAt).toBeLessThan(timeLimit(2_000));
    expect(statSync(at("said")).mtimeMs - startedAt).toBeLessThan(timeLimit(3_000));
    expect(stderr.toString()).toEndWith(
      `holdfast: The spool cannot be used, so this run is reported without it: The disk of ${at("gone/spool")} does not answer.\n`,
    );
    expect((await world.taskNamed("no answer")).error.code).toBe("command_failed");
  },
  120_000,
);

test.skipIf(obstacle !== undefined)(
  `a spool on a disk that hangs in the middle of a run does not hold up what the command says${reason}`,
  async () => {
    const disk = makeDisk();
    const spool = join(disk.folder, "spool");
    // Three lots of log, so that the runner has to write while the disk hangs.
    const lots = "for i in 1 2 3; do head -c 300000 /dev/zero | tr '\\0' x >&2; done; touch all-said; exit 3";
    const script = `until [ -e frozen ]; do sleep 0.05; done; ${lots}`;
    const child = world.start(["--name", "freezes", "--spool-dir", spool], ["sh", "-c", script]);
    const ended = endOf(child);
    await until(() => world.taskNamed("freezes"));
    Bun.spawnSync(["fsfreeze", "--freeze", disk.folder]);
    writeFileSync(at("frozen"), "");
    const isSaid = await until(() => existsSync(at("all-said")), timeLimit(4_000)).catch(() => false);
    Bun.spawnSync(["fsfreeze", "--unfreeze", disk.folder]);
    expect(isSaid).toBe(true);
    const { exitCode, stderr } = await ended;
    expect([exitCode, stderr.length]).toEqual([3, 900_000]);
    expect((await world.taskNamed("freezes")).error.code).toBe("command_failed");
    expect(spooled(spool)).toEqual([]);
    disk.remove();
  },
  120_000,
);
