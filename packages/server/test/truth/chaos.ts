import { verifyChain } from "../../src/audit/verify-chain";
import { readDocument, type TaskRecord } from "../../src/resources/tasks/record";
import { createDice, type Dice } from "../random";
import { recountTasks } from "../recount";
import { findMismatch, type HeldTask, type RunnerFate } from "./judge";
import { type Run, runsOf } from "./ledger";
import { type Runner, startRunner } from "./runner";
import type { ServiceWorld } from "./world";

/** Extent of the load on a world. */
export interface ChaosPlan {
  seed: number;
  runners: number;
  /** Minimum number of runs to begin. */
  runs: number;
  /** Lifetime of a lease, in milliseconds. */
  lease: number;
  /** Event that happens once, when half of the runs have begun. */
  during?: () => Promise<void>;
  /** Time after which everything must be true, in milliseconds. */
  settling?: number;
}

/** Results of the load. */
export interface ChaosResult {
  mismatches: string[];
  runs: number;
  /** Number of runs that ended as their runners said, were lost, live, and were taken for lost in between. */
  ended: number;
  lost: number;
  living: number;
  revived: number;
  faults: number;
  /** Result of the same comparison if one more end had been acknowledged than there is. */
  withOneMore: string[];
}

const lanes = 3;
const defaultSettlingMs = 60_000;

/** Lets runners run, and kills, stops and cuts off them, and what they report to, at random. Then compares. */
export async function runChaos(world: ServiceWorld, plan: ChaosPlan): Promise<ChaosResult> {
  const { seed, runners: count, runs, lease, during, settling = defaultSettlingMs } = plan;
  const dice = createDice(seed);
  const runners: Runner[] = [];
  for (let index = 0; index < count; index += 1) {
    const plan = {
      lanes,
      step: lease / 3,
      leaseSeconds: 30,
      timeoutMs: 2_000,
      isEndless: false,
      token: world.reporter,
    };
    const place = { folder: world.folder, name: `runner-${index}`, choose: world.port };
    runners.push(await startRunner({ ...plan, ...place, seed: seed * 1_000 + index }));
  }
  let faults = 0;
  let fault: Promise<void> | undefined;
  const troubles = new Map<Runner, Promise<void>>();
  const begun = () => runners.reduce((sum, runner) => sum + runsOf(runner.entries()).size, 0);
  const rageUntil = async (wanted: number) => {
    const isEnough = () => begun() >= wanted && (faults > 0 || world.faults.length === 0);
    for (let turn = 0; turn % 10 !== 0 || !isEnough(); turn += 1) await act();
  };
  const act = async () => {
    await Bun.sleep(10 + dice(lease / 10));
    const runner = runners[dice(count)];
    if (runner && !troubles.has(runner)) {
      const trouble = troubleOf(runner, lease, dice).finally(() => troubles.delete(runner));
      troubles.set(runner, trouble);
    }
    if (dice(4) === 0) await askForAbort(world, runners[dice(count)], dice);
    if (dice(6) === 0 && !fault) {
      faults += 1;
      fault = world.faults[dice(world.faults.length)]?.(dice).finally(() => {
        fault = undefined;
      });
    }
  };
  await rageUntil(runs / 2);
  // A node that is just being started would refuse to without a primary.
  await fault;
  await during?.();
  await rageUntil(runs);
  await fault;
  await Promise.all(troubles.values());
  return conclude(world, runners, { faults, settling });
}

/** Does something to a runner, and undoes it after a while. */
async function troubleOf(runner: Runner, lease: number, dice: Dice): Promise<void> {
  const longest = lease * 2;
  switch (dice(5)) {
    case 0:
      await runner.kill();
      await Bun.sleep(dice(longest));
      runner.start();
      break;
    case 1:
      runner.signal("SIGSTOP");
      await Bun.sleep(dice(longest));
      runner.signal("SIGCONT");
      break;
    case 2:
      runner.line.cut();
      await Bun.sleep(dice(longest));
      runner.line.mend();
      break;
    default:
      await Bun.sleep(dice(longest));
  }
}

/** Asks for some run of a runner to be aborted; it may have ended, or be nobody's any more. */
async function askForAbort(world: ServiceWorld, runner: Runner | undefined, dice: Dice): Promise<void> {
  // One that waits to be claimed ends at once, which is not for its runner to do.
  const open = [...runsOf(runner?.entries() ?? []).values()].filter(
    ({ sentReports }) => !sentReports[0]?.isQueued && !sentReports.at(-1)?.ended,
  );
  const run = open[dice(open.length)];
  if (!run) return;
  await fetch(`http://127.0.0.1:${world.port()}/tasks/${run.task}`, {
    method: "PATCH",
    headers: { Authorization: `Bearer ${world.owner}`, "Content-Type": "application/json" },
    body: JSON.stringify({ status: "aborting" }),
    signal: AbortSignal.timeout(200),
  }).catch(() => {});
}

/** Ends a third of the runners, kills another and lets the last one live, and looks until all is true, or for too long. */
async function conclude(
  world: ServiceWorld,
  runners: readonly Runner[],
  { faults, settling }: { faults: number; settling: number },
): Promise<ChaosResult> {
  const fates = new Map<Runner, RunnerFate>();
  const exits: number[] = [];
  await Promise.all(
    runners.map(async (runner, index) => {
      const fate = (["killed", "ended", "living"] as const)[index % 3] ?? "killed";
      fates.set(runner, fate);
      if (fate === "killed") return runner.kill();
      await runner.ready();
      if (fate === "ended") exits.push(await runner.finish());
      if (fate === "living") runner.signal("SIGUSR2");
    }),
  );
  const plane = await world.open();
  const look = async () => {
    const held = await plane.database.snapshot(async (db) => {
      const rows = await db
        .selectFrom("tasks")
        .innerJoin("task_leases", "task_leases.task_id", "tasks.id")
        .select(["tasks.id", "tasks.document", "task_leases.sequence"])
        .execute();
      return new Map(
        rows.map(({ id, document, sequence }): [string, HeldTask] => [
          id,
          { record: readDocument(document), sequence },
        ]),
      );
    });
    const runs = runners.flatMap((runner) =>
      [...runsOf(runner.entries()).values()].map((run) => ({ run, fate: fateOf(run, fates.get(runner)) })),
    );
    return { held, runs };
  };
  const untruthsOf = ({ held, runs }: Awaited<ReturnType<typeof look>>) => {
    const known = new Set(runs.map(({ run }) => run.task));
    const strangers = [...held.keys()].filter((id) => !known.has(id)).map((id) => `${id}: no runner ran it`);
    return [...runs.flatMap(({ run, fate }) => findMismatch(run, fate, held.get(run.task))), ...strangers];
  };
  let seen = await look();
  for (const deadline = performance.now() + settling; performance.now() < deadline; seen = await look()) {
    if (untruthsOf(seen).length === 0) break;
    await Bun.sleep(200);
  }
  const mismatches = [
    ...untruthsOf(seen),
    ...exits.filter((code) => code !== 0).map((code) => `a runner ended with ${code}`),
  ];
  const { kept, counted } = await plane.database.snapshot(recountTasks);
  if (!Bun.deepEquals(kept, counted)) mismatches.push("the counts differ from a count of the tasks");
  await plane.database.snapshot((db) => verifyChain(db, plane.controlPlane.sealer));
  await plane.database.close();
  for (const runner of runners) {
    if (runner.isUp()) await runner.kill();
    runner.line.close();
  }
  const records = [...seen.held.values()].map(({ record }) => record);
  const count = (isSo: (record: TaskRecord) => boolean) => records.filter(isSo).length;
  return {
    mismatches,
    runs: seen.runs.length,
    lost: count(({ outcome }) => outcome === "lost"),
    ended: count(({ outcome }) => outcome !== null && outcome !== "lost"),
    living: count(({ outcome }) => outcome === null),
    revived: count(({ revised_timestamp }) => revised_timestamp !== undefined),
    faults,
    withOneMore: untruthsOf({ held: seen.held, runs: seen.runs.map(withOneMore) }),
  };
}

/** A run that its process did not end died with it. */
function fateOf(run: Run, ofRunner: RunnerFate | undefined): RunnerFate {
  if (!run.isLatest && !run.sentReports.at(-1)?.ended) return "killed";
  return ofRunner ?? "killed";
}

/** The first run, as if one more report of it had been acknowledged. */
function withOneMore({ run, fate }: { run: Run; fate: RunnerFate }, index: number): { run: Run; fate: RunnerFate } {
  const next = (run.sentReports.at(-1)?.sequence ?? 0) + 1;
  return index === 0 ? { run: { ...run, heard: new Set([...run.heard, next]) }, fate } : { run, fate };
}
