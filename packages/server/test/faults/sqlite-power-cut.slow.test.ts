import { expect, test } from "bun:test";
import { copyFileSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../harness";
import { runHoldfast } from "../process";
import { createDice, type Dice } from "../random";
import { control, size } from "../runs";
import { type Findings, inspect, sound } from "./inspect-sqlite";
import { findObstacle, makeDisk } from "./loop-disk";
import { startWriter, type Way } from "./writer";
import { nothing } from "./writer-steps";

const obstacle = findObstacle();
if (obstacle !== undefined) process.stdout.write(`R3 not run: ${obstacle}\n`);
/** Says in its name that it could not be run, so that nobody takes it for passed. */
const named = (name: string) => `R3${obstacle === undefined ? "" : ` not run, ${obstacle}`}: ${name}`;
const cutTest = (name: string, prove: () => Promise<void>, timeout: number) =>
  test.skipIf(obstacle !== undefined)(named(name), prove, timeout);
const cutControl = obstacle === undefined ? control : test.skip;
const cuts = size({ default: 3, long: 500 });
const timeForAll = cuts * 15_000 + 120_000;

/** Lets something happen on a disk, cuts its power, and gives what is left of it, whatever else happens. */
async function cutDuring<Result>(
  happen: (folder: string) => Promise<Result>,
): Promise<{ left: string; result: Result }> {
  const disk = makeDisk();
  try {
    const result = await happen(disk.folder);
    return { left: disk.cut(), result };
  } finally {
    disk.remove();
  }
}

/** Cuts the power under a writer, a while after the first start on a new disk. */
async function cutOnce(seed: number, dice: Dice, way: Way): Promise<Findings> {
  const { left, result: told } = await cutDuring(async (folder) => {
    const writer = startWriter({ folder: join(folder, "data"), seed, way });
    await writer.reached(1 + dice(20));
    await Bun.sleep(dice(300));
    return writer.kill();
  });
  const { findings } = await inspect(join(left, "data"), nothing, told);
  rmSync(left, { recursive: true });
  return findings;
}

async function cutAgainAndAgain(way: Way): Promise<Findings[]> {
  const dice = createDice(cuts);
  const found: Findings[] = [];
  for (let cut = 1; cut <= cuts; cut += 1) found.push(await cutOnce(cut, dice, way));
  return found;
}

cutTest(
  `${cuts} power cuts lose nothing that was acknowledged`,
  async () => {
    expect(await cutAgainAndAgain("sound")).toEqual(Array.from({ length: cuts }, () => sound));
  },
  timeForAll,
);

cutControl(
  named("the same cuts find out a writer with synchronous=NORMAL"),
  async () => {
    const found = await cutAgainAndAgain("lazy");
    expect(found.filter(({ astray }) => astray.length > 0)).not.toEqual([]);
  },
  timeForAll,
);

cutTest(
  "(R24) a backup that was said to be made survives a power cut, which a mere copy does not",
  async () => {
    const data = makeFolder();
    const told = await startWriter({ folder: data, seed: 1, count: 30 }).ended();
    const { left } = await cutDuring(async (folder) => {
      expect((await runHoldfast(data, ["database", "backup", join(folder, "backup.db")])).exitCode).toBe(0);
      copyFileSync(join(data, "holdfast.db"), join(folder, "copy.db"));
    });
    expect(readdirSync(left).sort()).toEqual(["backup.db", "lost+found"]);
    renameSync(join(left, "backup.db"), join(data, "holdfast.db"));
    expect((await inspect(data, nothing, told)).findings).toEqual(sound);
    for (const folder of [data, left]) rmSync(folder, { recursive: true });
  },
  120_000,
);
