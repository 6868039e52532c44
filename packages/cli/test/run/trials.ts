import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFiles } from "../../../runner/test/run-engine";
import { type Dice, elementAt } from "../../../server/test/random";
import type { BadLine } from "./bad-line";
import { type EndedRun, endOf, run, spooled, until } from "./runner";
import type { RunWorld } from "./service";
import { intoFiles, openTrialEngines, type Side, type TrialEngine, written } from "./trial-engines";
import type { Trouble } from "./troubles";

/** Differences from a run without us, and statements that were not true in the end. */
export interface Findings {
  differences: object[];
  untrueTasks: object[];
  leftInSpools: string[];
  differentRepositories: string[];
  /** Number of times that a run met each trouble. */
  met: Record<string, number>;
}

export interface TrialParts {
  world: RunWorld;
  line: BadLine;
  troubles: readonly Trouble[];
  spools: readonly string[];
  dice: Dice;
  trials: number;
}

/** So many trials are judged at once: the list of tasks has a hundred. */
const judgedAtOnce = 40;

/** Runs backups beside bare ones while something goes wrong. */
export async function runTrials(parts: TrialParts): Promise<Findings> {
  const { world, line, troubles, spools, dice, trials } = parts;
  const engines = openTrialEngines(world.path);
  const source = join(world.path, "files");
  const findings: Findings = { differences: [], untrueTasks: [], leftInSpools: [], differentRepositories: [], met: {} };
  makeFiles(source, { a: 2_000_000, b: 200_000 });
  for (const engine of Object.values(engines)) await engine.prepare();
  let wanted = new Map<string, string>();

  async function judge(): Promise<void> {
    line.turn("fair");
    await until(async () => (await world.deliver({ HOLDFAST_URL: line.baseUrl })).exitCode === 0, 60_000);
    for (const spool of spools) {
      const deliver = { HOLDFAST_URL: line.baseUrl, HOLDFAST_SPOOL: spool };
      await world.deliver(deliver);
      findings.leftInSpools.push(...spooled(spool));
    }
    const tasks = await world.tasks();
    for (const [name, end] of wanted) {
      const found = tasks.filter((task) => task.name === name);
      const ends = found.map(({ status, error }) => [status, ...(error ? [error.code] : [])].join(" "));
      if (ends.join() !== end) findings.untrueTasks.push({ name, wanted: end, found: ends });
    }
    wanted = new Map();
  }

  for (let trial = 0; trial < trials; trial++) {
    const trouble = elementAt(troubles, trial);
    const engine = trial % 2 === 0 ? engines.restic : engines.borg;
    const isFailing = dice(5) === 0;
    // By a relative path: folders above would be part of the backup, and they change.
    const command = engine.backup(trial, isFailing ? "no-such-folder" : "files");
    writeFileSync(join(source, "changed"), `trial ${trial}`);
    const bare = await run([...intoFiles, ...command], inFolder(world, engine, "bare"));
    const expected = { exitCode: bare.exitCode, ...written(world.path, engine) };
    const name = `trial ${trial}: ${trouble.name}`;
    const flags = ["--name", name, "--linger", "1s", "--quiet", "--url", line.baseUrl, ...(trouble.flags ?? [])];
    const child = world.start(flags, command, { ...inFolder(world, engine, "ours"), under: intoFiles });
    const [ours] = await Promise.all([endOf(child), meet(trouble, dice)]);
    const found = { exitCode: ours.exitCode, ...written(world.path, engine) };
    if (!Bun.deepEquals(found, expected)) findings.differences.push({ name, expected, found });
    findings.met[trouble.name] = (findings.met[trouble.name] ?? 0) + 1;
    wanted.set(name, isFailing ? "failed source_missing" : "completed");
    if (wanted.size >= judgedAtOnce) await judge();
  }
  await judge();
  findings.differentRepositories.push(...(await compareRepositories(Object.entries(engines), trials)));
  return findings;
}

/** Strikes at some moment of the run, and ends the trouble at some moment after that: during the run, or when it is over. */
async function meet(trouble: Trouble, dice: Dice): Promise<void> {
  await Bun.sleep(dice(3) === 0 ? 0 : dice(700));
  await trouble.strike();
  await Bun.sleep(dice(1_500));
  await trouble.relieve();
}

function inFolder({ path }: RunWorld, engine: TrialEngine, side: Side) {
  return { cwd: path, environment: engine.environment(side) };
}

async function compareRepositories(engines: [string, TrialEngine][], trials: number): Promise<string[]> {
  const different: string[] = [];
  for (const [name, engine] of engines) {
    const newest = trials < judgedAtOnce ? 2 : trials;
    const [bare, ours] = [await engine.contents("bare", newest), await engine.contents("ours", newest)];
    const checked: EndedRun = await engine.check("ours");
    if (!Bun.deepEquals(bare, ours)) different.push(`${name}: not the same contents`);
    if (checked.exitCode !== 0) different.push(`${name}: ${checked.stderr}`);
  }
  return different;
}
