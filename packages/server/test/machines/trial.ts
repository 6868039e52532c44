import { type Asked, askSteadily } from "../faults/steady-asking";
import { startFleet } from "../truth/fleet";
import { runsOf } from "../truth/ledger";
import { type Runner, startRunner } from "../truth/runner";
import type { DatabaseMachine } from "./database-machine";
import { type Judgement, judgeLedgers } from "./judge-ledgers";
import type { Machines } from "./start-machines";
import { reportSteadily } from "./steady-reports";
import { type KnownTask, type Walk, walkSteadily } from "./steady-walks";

interface Roles {
  primary: DatabaseMachine;
  standby: DatabaseMachine;
}

/** Something that happens to the primary or to its standby, and what an operator does about it later. */
export interface MachineFault {
  strike(roles: Roles): void;
  undo(roles: Roles): void;
}

/** Observations of a fault. Times are in milliseconds. */
export interface Trial extends Judgement {
  /** From the fault until every report was acknowledged again. */
  writesAgain: number;
  /** The longest time without an acknowledged report from when it was undone. */
  maxGapAfterwards: number;
  /** The longest wait for an answer from the fault until then. */
  slowestAnswer: number;
  /** The longest one before the fault, for comparison. */
  slowestBefore: number;
  /** Answers that were late, neither right nor a plain "try again", or did not say when to. */
  complaints: string[];
  /** Number of answers in the course of the fault, by status. */
  statuses: Record<string, number>;
  walks: { all: number; interrupted: number; faulty: Walk[] };
  acknowledged: number;
  hasFailedOver: boolean;
}

const lanes = 10;
const leaseSecondMs = 1_000;
const calm = 4_000;
const maxWaitMs = 2_000;
const maxOutageMs = 90_000;
const paths = ["/tasks?limit=5", "/users", "/readyz"];

/** Lets runners report and readers walk, strikes, waits until all is well again, undoes it, and compares. */
export async function tryFault(machines: Machines, fault: MachineFault, name: string): Promise<Trial> {
  const roles = await machines.roles();
  const reports = reportSteadily(machines, 4);
  const runners: Runner[] = [];
  try {
    const living = await startFleet(machines, `living-${name}`, lanes, leaseSecondMs);
    runners.push(living.runner);
    const busy = await startBusyRunner(machines, name);
    runners.push(busy);
    const known = () => [...knownBy(runners), ...reports.known()];
    const walking = walkSteadily(machines, known, 2);
    const reading = askSteadily({ ask: machines.ask, token: machines.viewer, paths });
    await Bun.sleep(calm);

    const struck = performance.now();
    fault.strike(roles);
    const writesAgain = await untilCalm(reports.reports, struck);
    const undone = performance.now();
    fault.undo(roles);
    const { primary } = await machines.roles();
    await untilCalm(reports.reports, undone);

    await Promise.all([reading.stop(), walking.stop(), reports.stop()]);
    const exitCode = await busy.finish();
    living.runner.signal("SIGUSR2");
    const judgement = await judgeLedgers(machines, {
      runners: [
        { runner: living.runner, fate: "living" },
        { runner: busy, fate: "ended" },
      ],
      tasks: reports.tasks,
    });
    const asked = [...reading.asked, ...reports.reports, ...reports.heartbeats];
    // Until all is well again: how fast a machine that is well answers is measured elsewhere.
    const well = struck + writesAgain;
    const during = asked.filter(({ startedAt, took }) => startedAt + took > struck && startedAt < well);
    const all = asked.filter(({ startedAt, took }) => startedAt + took > struck);
    return {
      ...judgement,
      mismatches: [...judgement.mismatches, ...(exitCode === 0 ? [] : [`a runner ended with ${exitCode}`])],
      writesAgain,
      maxGapAfterwards: maxGap(reports.reports.filter(isAcknowledged), undone),
      slowestAnswer: slowestOf(during),
      slowestBefore: slowestOf(asked.filter(({ startedAt, took }) => startedAt + took < struck)),
      complaints: [
        ...during.filter(({ took }) => took > maxWaitMs),
        ...all.filter((one) => !isAcknowledged(one) && !isPlainRefusal(one)),
      ].map((one) => describe(one, struck)),
      statuses: countStatuses(during),
      walks: {
        all: walking.walks.length,
        interrupted: walking.walks.filter(({ refusals }) => refusals > 0).length,
        faulty: walking.walks.filter(isFaulty),
      },
      acknowledged: runners.reduce((sum, runner) => sum + heardBy(runner), reports.acknowledged()),
      hasFailedOver: primary !== roles.primary,
    };
  } finally {
    await reports.stop();
    for (const runner of runners) {
      if (runner.isUp()) await runner.kill();
      runner.line.close();
    }
  }
}

/** Starts a runner whose tasks end, one after the other. */
function startBusyRunner({ folder, port, certificate, reporter }: Machines, name: string): Promise<Runner> {
  return startRunner({
    folder,
    name: `busy-${name}`,
    choose: port,
    certificate,
    token: reporter,
    seed: name.length,
    lanes: 3,
    step: 400,
    leaseSeconds: 30,
    timeoutMs: 12 * leaseSecondMs,
    isEndless: false,
  });
}

function heardBy(runner: Runner): number {
  return runner.entries().filter(({ kind }) => kind === "heard").length;
}

function knownBy(runners: readonly Runner[]): KnownTask[] {
  return runners
    .flatMap((runner) => [...runsOf(runner.entries()).values()])
    .map(({ task, sentReports, heard }) => ({
      id: task,
      begun: sentReports[0]?.at ?? 0,
      isAcknowledged: heard.has(1),
    }));
}

function isAcknowledged({ status }: Asked): boolean {
  return status === 200 || status === 201;
}

/** Waits until no report has failed for a while after a moment, and gives how long after it one succeeded after the last that did. */
async function untilCalm(reports: readonly Asked[], since: number): Promise<number> {
  const endOf = ({ startedAt, took }: Asked) => startedAt + took;
  for (const deadline = since + maxOutageMs; performance.now() < deadline; await Bun.sleep(50)) {
    const after = reports.filter((one) => endOf(one) > since);
    const lastRefused = after.findLast((one) => !isAcknowledged(one));
    const refusedAt = lastRefused ? endOf(lastRefused) : since;
    const next = after.find((one) => endOf(one) > refusedAt);
    const isCalm = after.some((one) => endOf(one) > Math.max(refusedAt, since + calm) + calm);
    if (next && isCalm) return lastRefused ? endOf(next) - since : 0;
  }
  throw new Error(`Reports failed for more than ${maxOutageMs / 1_000} s.`);
}

/** The longest time between two answers after a moment. */
function maxGap(asked: readonly Asked[], since: number): number {
  const ends = asked.map(({ startedAt, took }) => startedAt + took).filter((end) => end > since);
  return Math.round(Math.max(...ends.map((end, index) => end - (ends[index - 1] ?? since))));
}

function slowestOf(asked: readonly Asked[]): number {
  return Math.round(asked.reduce((longest, { took }) => Math.max(longest, took), 0));
}

function countStatuses(asked: readonly Asked[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const { status } of asked) counted[status] = (counted[status] ?? 0) + 1;
  return counted;
}

function isPlainRefusal({ status, retryAfter }: Asked): boolean {
  return status === 503 && retryAfter === "1";
}

function describe({ path, startedAt, took, status }: Asked, struck: number): string {
  return `${path}, ${Math.round(startedAt - struck)} ms after the fault: ${status} after ${Math.round(took)} ms`;
}

function isFaulty({ duplicates, missed, late, misplaced, totals }: Walk): boolean {
  return [duplicates, missed, late, misplaced].some(({ length }) => length > 0) || totals.length !== 1;
}
