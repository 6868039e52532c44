import { LeaseMonitor } from "../../src/resources/tasks/leases/lease-monitor";
import type { SweptLease } from "../../src/resources/tasks/leases/lease-store";
import { createDice, type Dice } from "../random";

/** Course of a day. All times are in seconds. */
export interface Day {
  seconds: number;
  runners: number;
  seed: number;
  /** True if gaps are noticed. Without that, what is simulated has to go wrong. */
  noticesGaps: boolean;
}

/** Faults of a day, and the number of its events. */
export interface DayReport {
  /** Runners that lived when their tasks were said to be lost. */
  falseAlarms: string[];
  /** Runners that had died, and whose tasks were not said to be lost in time. */
  missed: string[];
  deaths: number;
  lost: number;
  disturbances: Record<Disturbance, number>;
}

type Disturbance = "restart" | "pause" | "failover" | "step";

/** One process that sweeps. */
interface Sweeper {
  watch: LeaseMonitor;
  /** Heartbeats that are not written down yet. */
  noted: Set<SimulatedRunner>;
  upAt: number;
  monotonicFrom: number;
}

interface SimulatedRunner {
  lease: SweptLease;
  sweeper: number;
  nextAt: number;
  heardAt: number;
  diedAt: number | null;
  /** Number of starts of a process since it was heard of, each of which may forget a little of what had passed. */
  startsSince: number;
}

const leases = [30, 30, 60, 180, 180, 600, 3_600];
const steps = [3_600, -3_600, 86_400, -86_400];
const epoch = Date.parse("2026-11-15T00:00:00.000Z");
/** About so often something happens to the service, and to one of the runners. */
const disturbedEvery = 600;
const deathEvery = 120;
const maxLate = 5;
const noteEvery = 60;

/** Lets runners live and die through a day of restarts, pauses, fail-overs and clock steps. */
export function simulateDay({ seconds, runners: count, seed, noticesGaps }: Day): DayReport {
  const dice = createDice(seed);
  const report: DayReport = {
    falseAlarms: [],
    missed: [],
    deaths: 0,
    lost: 0,
    disturbances: { restart: 0, pause: 0, failover: 0, step: 0 },
  };
  const sweepers = [newSweeper(0, noticesGaps, dice), newSweeper(0, noticesGaps, dice)];
  const runners = Array.from({ length: count }, () => newRunner(0, dice));
  let databaseBackAt = 0;
  let wrongBy = 0;
  let disturbedAt = 0;

  function disturb(now: number): void {
    const kind = (["restart", "pause", "failover", "step"] as const)[dice(4)] ?? "step";
    report.disturbances[kind] += 1;
    const at = dice(2);
    const sweeper = sweepers[at];
    if (kind === "restart") {
      const upAt = now + 1 + dice(20);
      sweepers[at] = newSweeper(upAt, noticesGaps, dice);
      for (const runner of runners) runner.startsSince += 1;
    }
    if (kind === "pause" && sweeper) sweeper.upAt = now + ([2, 4, 7, 30, 90][dice(5)] ?? 2);
    if (kind === "failover") databaseBackAt = now + 1 + dice(120);
    if (kind === "step") wrongBy += steps[dice(steps.length)] ?? 0;
    if (kind !== "step") disturbedAt = Math.max(disturbedAt, databaseBackAt, ...sweepers.map(({ upAt }) => upAt));
  }

  function beat(runner: SimulatedRunner, now: number): void {
    const sweeper = sweepers[runner.sweeper];
    const { lease } = runner;
    const soon = Math.min(60, lease.lease_seconds / 6);
    if (!sweeper || sweeper.upAt > now || databaseBackAt > now) {
      // No answer: the other one, as soon as a runner has to try again.
      runner.sweeper = 1 - runner.sweeper;
      runner.nextAt = now + soon;
      return;
    }
    sweeper.noted.add(runner);
    runner.heardAt = now;
    runner.startsSince = 0;
    // As often as a busy service asks for: at most every third of a lease.
    runner.nextAt =
      now + Math.min(Math.max(5, soon) * (0.8 + 0.4 * (dice(1_000) / 1_000)) * (1 + dice(2)), lease.lease_seconds / 3);
  }

  function sweep(sweeper: Sweeper, now: number): void {
    if (sweeper.upAt > now) return;
    if (databaseBackAt > now) {
      if (noticesGaps) sweeper.watch.gap();
      return;
    }
    for (const { lease } of sweeper.noted)
      Object.assign(lease, { renewals: lease.renewals + 1, waited_seconds: 0, liveness: "" });
    sweeper.noted.clear();
    const clocks = { monotonic: sweeper.monotonicFrom + now * 1_000, wall: epoch + (now + wrongBy) * 1_000 };
    const verdicts = sweeper.watch.observe(
      runners.map(({ lease }) => lease),
      clocks,
    );
    for (const verdict of verdicts) {
      const { lease } = verdict;
      if (verdict.act === "flag") lease.liveness = verdict.liveness;
      if (verdict.act === "note") lease.waited_seconds = verdict.seconds;
      const runner = runners.find((one) => one.lease === lease);
      if (verdict.act === "lose" && runner) end(runner, now);
    }
  }

  function end(runner: SimulatedRunner, now: number): void {
    report.lost += 1;
    if (runner.diedAt === null)
      report.falseAlarms.push(`${now}: lease ${runner.lease.lease_seconds}, heard at ${runner.heardAt}`);
    runners[runners.indexOf(runner)] = newRunner(now, dice);
  }

  /** A task whose runner died is lost a lease after it was last heard of, or some time after the last gap. */
  function requireLost(runner: SimulatedRunner, now: number): void {
    const { lease_seconds: seconds } = runner.lease;
    const forgotten = seconds > 300 ? noteEvery * runner.startsSince : 0;
    const due = Math.max(runner.heardAt + seconds + forgotten, disturbedAt + Math.min(seconds, 300)) + maxLate;
    if (now <= due) return;
    report.missed.push(`${now}: lease ${seconds}, died at ${runner.diedAt}, due at ${due}`);
    runners[runners.indexOf(runner)] = newRunner(now, dice);
  }

  for (let now = 1; now <= seconds; now += 1) {
    if (dice(disturbedEvery) === 0) disturb(now);
    const dying = dice(deathEvery) === 0 ? runners[dice(count)] : undefined;
    if (dying && dying.diedAt === null) {
      dying.diedAt = now;
      report.deaths += 1;
    }
    for (const runner of runners) if (runner.diedAt === null && runner.nextAt <= now) beat(runner, now);
    for (const sweeper of sweepers) sweep(sweeper, now);
    for (const runner of runners) if (runner.diedAt !== null) requireLost(runner, now);
  }
  return report;
}

function newSweeper(upAt: number, noticesGaps: boolean, dice: Dice): Sweeper {
  const late = noticesGaps ? 5_000 : Number.POSITIVE_INFINITY;
  return {
    watch: new LeaseMonitor({ second: 1_000, late }),
    noted: new Set(),
    upAt,
    // Every process counts from another moment.
    monotonicFrom: dice(1_000_000_000),
  };
}

let numbers = 0;

function newRunner(now: number, dice: Dice): SimulatedRunner {
  numbers += 1;
  const at = epoch + now * 1_000;
  const lease: SweptLease = {
    task_id: String(numbers),
    created_at: at,
    organizational_unit_id: "",
    attempt: 1,
    sequence: 0,
    state: "in_progress",
    lease_seconds: leases[dice(leases.length)] ?? 30,
    renewals: 1,
    waited_seconds: 0,
    liveness: "",
    can_abort: 0,
    abort_grace_seconds: 30,
    abort_requested_at: null,
    start_by_seconds: 60,
    max_duration_seconds: null,
    stall_seconds: null,
    received_at: at,
    started_at: at,
    progressed_at: at,
    ended_at: null,
  };
  return { lease, sweeper: dice(2), nextAt: now + 1 + dice(5), heardAt: now, diedAt: null, startsSince: 0 };
}
