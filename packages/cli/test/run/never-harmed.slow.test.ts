import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeFiles } from "../../../runner/test/run-engine";
import { createDice } from "../../../server/test/random";
import { size } from "../../../server/test/runs";
import { type Ended, endOf, run, spooled } from "./runner";
import { openRunWorld } from "./service";

const world = await openRunWorld();
afterAll(world.close);

const trials = size({ usual: 6, long: 1000 });
const source = join(world.path, "files");
const environmentOf = (name: string) => ({
  RESTIC_PASSWORD: "correct horse",
  RESTIC_REPOSITORY: join(world.path, name),
  RESTIC_CACHE_DIR: join(world.path, "cache"),
});
const restic = (name: string, ...args: string[]) =>
  run(["restic", ...args], { cwd: world.path, environment: environmentOf(name) });

beforeAll(async () => {
  makeFiles(source, { a: 2_000_000, b: 200_000 });
  await restic("bare", "init");
  await restic("ours", "init");
});

/** A shell that writes what a command says to files. To a socket, as tests read from, the runner shows progress of its own. */
const intoFiles = ["sh", "-c", 'exec "$@" > out 2> err', "sh"];
const inFile = (name: string) => readFileSync(join(world.path, name), "utf8");

/** What a person sees, without what differs from run to run. */
const comparable = ({ exitCode }: Ended) => ({
  exitCode,
  stdout: inFile("out")
    .replace(/[0-9a-f]{8,}|[\d.:]+/g, "#")
    .replace(/# (?:[KM]i)?B/g, "#"),
  stderr: inFile("err").replace(/[0-9a-f]{8,}/g, "#"),
});

/** What is done to the service while a backup runs. */
const troubles: Record<string, (pauseMs: number) => Promise<void>> = {
  async none() {},
  async killed(pauseMs) {
    await Bun.sleep(pauseMs);
    await world.away();
  },
  async hanging(pauseMs) {
    await Bun.sleep(pauseMs);
    process.kill(world.service().pid, "SIGSTOP");
  },
};
const relief: Record<string, () => Promise<void>> = {
  async none() {},
  killed: world.back,
  async hanging() {
    process.kill(world.service().pid, "SIGCONT");
  },
};

test(`R29, R20: ${trials} backups while the service is killed, hangs or refuses equal bare ones, and every task ends true`, async () => {
  const dice = createDice(29);
  const wanted = new Map<string, string>();
  for (let trial = 0; trial < trials; trial++) {
    const trouble = Object.keys(troubles)[trial % 3] ?? "none";
    const isRefused = trial % 6 === 3;
    const isFailing = trial % 4 === 1;
    const command = ["restic", "backup", isFailing ? "/no/such/folder" : source];
    const bare = comparable(
      await run([...intoFiles, ...command], { cwd: world.path, environment: environmentOf("bare") }),
    );
    const environment = { ...environmentOf("ours"), ...(isRefused ? { HOLDFAST_TOKEN: `${world.reporter}x` } : {}) };
    const name = `trial ${trial}`;
    const flags = ["--name", name, "--linger", "0.5s", "--quiet"];
    const child = world.start(flags, command, { environment, under: intoFiles });
    const [ours] = await Promise.all([endOf(child), troubles[trouble]?.(dice(400))]);
    expect({ trial, trouble, ...comparable(ours) }).toEqual({ trial, trouble, ...bare });
    await relief[trouble]?.();
    wanted.set(name, isFailing ? "failed source_missing" : "completed");
  }
  expect((await world.deliver()).exitCode).toBe(0);
  expect(spooled(world.spool)).toEqual([]);
  for (const [name, end] of [...wanted].slice(-90)) {
    const { status, error } = await world.taskNamed(name);
    expect([name, [status, ...(error ? [error.code] : [])].join(" ")]).toEqual([name, end]);
  }
  const both = [await restic("bare", "snapshots", "--json"), await restic("ours", "snapshots", "--json")];
  const [bareCount, ourCount] = both.map(({ stdout }) => JSON.parse(stdout.toString()).length);
  expect(ourCount).toBe(bareCount);
  expect((await restic("ours", "check", "--read-data")).exitCode).toBe(0);
}, 3_600_000);
