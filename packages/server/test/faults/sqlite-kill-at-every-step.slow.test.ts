import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../harness";
import { control, size } from "../runs";
import { inspect, sound } from "./inspect-sqlite";
import { startWriter, type Way } from "./writer";
import { nothing } from "./writer-steps";

// System calls that change a disk: the files of SQLite, and the secret that is made at the first start.
const calls = "pwrite64,fsync,fdatasync,ftruncate,unlink,unlinkat,link,linkat,rename,renameat";
/** The first start with its migration, two rounds of everything that is written, and the checkpoint at the end. */
const count = 12;

function start(folder: string, way: Way, options: readonly string[]) {
  const under = ["strace", "-o", join(folder, "calls"), "-e", `trace=${calls}`, ...options];
  const data = join(folder, "data");
  mkdirSync(data);
  return { data, writer: startWriter({ folder: data, seed: 1, count, way, under }) };
}

/** Number of such calls in all. */
async function countSteps(): Promise<number> {
  const folder = makeFolder();
  const { writer } = start(folder, "sound", []);
  expect((await writer.ended()).acknowledged).toBe(count);
  const lines = readFileSync(join(folder, "calls"), "utf8").split("\n");
  rmSync(folder, { recursive: true });
  return lines.filter((line) => /^\w+\(/.test(line)).length;
}

/** Ends the process as it makes its call of that number, and looks at what is left, and at what the look has left. */
async function killAt(step: number, way: Way) {
  const folder = makeFolder();
  const { data, writer } = start(folder, way, ["-e", `inject=${calls}:signal=SIGKILL:when=${step}`]);
  const told = await writer.ended();
  const { findings: after, memory } = await inspect(data, nothing, told);
  const { findings: again } = await inspect(data, memory, { steps: [], acknowledged: 0 });
  rmSync(folder, { recursive: true });
  return { after, again, acknowledged: told.acknowledged };
}

test(
  "R2: wherever among its writes a process is killed, nothing acknowledged is lost and the next start completes",
  async () => {
    const steps = await countSteps();
    expect(steps).toBeGreaterThan(100);
    const every = size({ default: Math.ceil(steps / 12), long: 1 });
    const reached = new Set<number>();
    for (let step = 1; step <= steps; step += every) {
      const { after, again, acknowledged } = await killAt(step, "sound");
      expect({ step, after, again }).toEqual({ step, after: sound, again: sound });
      reached.add(acknowledged);
    }
    // Kills before the first acknowledgement, that is during the first start, and long after it.
    expect(reached.has(0)).toBe(true);
    expect(reached.size).toBeGreaterThan(5);
  },
  size({ default: 300_000, long: 3_600_000 }),
);

control("R2: a writer that acknowledges before it writes is found out by a kill at a write", async () => {
  const steps = await countSteps();
  const { after } = await killAt(Math.floor(steps * 0.7), "early");
  expect(after.astray).not.toEqual([]);
});
