import { earlyBy, expectedAfterRun, nextExpected } from "../../src/resources/monitors/schedule/expected-run";
import { parseSchedule, type Schedule, type ScheduleText } from "../../src/resources/monitors/schedule/schedule";
import { createDice, type Dice, elementAt } from "../random";
import { minute, openWatchedPlane, type WatchedPlane } from "./watched-plane";

const second = 1_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Time for which a client tries to deliver a ping. */
const pingTimeoutMs = 120 * second;
/** Interval at which clients and the worker run: often enough for the worker to note that it listens. */
const tick = 45 * second;

/** A client that runs by its own schedule and its own clock, which is right. */
interface Client {
  monitor: { id: string };
  schedule: Schedule;
  grace: number;
  /** True if it keeps what it could not deliver. */
  spools: boolean;
  nextRunAt: number;
  deadUntil: number;
  /** When it began to run, delivered or not. */
  runs: number[];
  /** Beginnings of runs that are still to be delivered. */
  undelivered: number[];
}

export interface WatchedDays {
  /** Misses of runs that were begun in time. */
  falseAlarms: string[];
  /** Runs that were not begun, while all was well here, and of which no task says so. */
  unnoticed: string[];
  misses: number;
  unwatched: number;
  runs: number;
  disturbances: Record<"outage" | "restart" | "step", number>;
}

const schedules: ScheduleText[] = [
  { cron: "0 * * * *" },
  { cron: "*/30 * * * *", time_zone: "Asia/Kolkata" },
  { cron: "30 2 * * *", time_zone: "Europe/Berlin" },
  { cron: "15 0,2,4,6,12 * * *", time_zone: "America/New_York" },
  { cron: "10 */3 * * *", time_zone: "Australia/Lord_Howe" },
  { period_seconds: 3_600 },
  { period_seconds: 4 * 3_600 },
];

/** Lets days pass over clients with outages of any length, restarts and steps of the wall clock. */
export async function passDays(options: { days: number; seed: number; noticesGaps: boolean }): Promise<WatchedDays> {
  const { days, seed, noticesGaps } = options;
  const dice = createDice(seed);
  // The clocks of Berlin are set forward in the first night.
  const plane = await openWatchedPlane("2027-03-27T14:00:00Z");
  const start = plane.clock.now;
  const clients = await addClients(plane, dice);
  const disturbances = { outage: 0, restart: 0, step: 0 };
  /** When something was wrong here, in true time. */
  const disturbed: { from: number; until: number }[] = [];
  let wrongBy = 0;
  const trueNow = () => plane.clock.now - wrongBy;

  function step(by: number): void {
    // A time that the clock shows for the second time is not watched.
    disturbed.push({ from: plane.clock.now, until: plane.clock.now });
    plane.step(by);
    wrongBy += by;
    disturbances.step += 1;
    disturbed.push({ from: trueNow(), until: trueNow() });
  }

  async function beAway(length: number): Promise<void> {
    disturbances[length < minute ? "restart" : "outage"] += 1;
    const from = trueNow();
    for (let left = length; left > 0; left -= tick) {
      plane.sleep(Math.min(left, tick));
      for (const client of clients) live(client, trueNow(), dice);
    }
    disturbed.push({ from, until: trueNow() });
    if (!noticesGaps) {
      await plane.database.change((db) => db.updateTable("listening").set({ noted_at: plane.clock.now }).execute());
    }
  }

  let correctedAt = Number.POSITIVE_INFINITY;
  while (trueNow() < start + days * day) {
    plane.sleep(tick);
    for (const client of clients) live(client, trueNow(), dice);
    for (const client of clients) await deliver(plane, client, trueNow());
    await plane.worker.sweep();
    if (trueNow() >= correctedAt) {
      step(-wrongBy);
      correctedAt = Number.POSITIVE_INFINITY;
      await plane.worker.sweep();
    }
    if (dice(400) === 0) await beAway((1 + dice(50)) * second);
    if (dice(500) === 0) await beAway(minute + dice(elementAt([5 * minute, hour, 9 * hour], dice(3))));
    if (noticesGaps && wrongBy === 0 && dice(500) === 0) {
      step(
        (dice(2) === 0 ? -1 : 1) * (minute + 10 * second + dice(elementAt([10 * minute, 5 * hour, 40 * day], dice(3)))),
      );
      correctedAt = trueNow() + dice(8) * minute;
    }
  }
  const verdicts = await Promise.all(clients.map((client) => compare(plane, client, disturbed, start, trueNow())));
  await plane.close();
  return {
    falseAlarms: verdicts.flatMap(({ falseAlarms }) => falseAlarms),
    unnoticed: verdicts.flatMap(({ unnoticed }) => unnoticed),
    misses: verdicts.reduce((sum, { misses }) => sum + misses, 0),
    unwatched: verdicts.filter(({ wasUnwatched }) => wasUnwatched).length,
    runs: clients.reduce((sum, { runs }) => sum + runs.length, 0),
    disturbances,
  };
}

async function addClients(plane: WatchedPlane, dice: Dice): Promise<Client[]> {
  const clients: Client[] = [];
  for (const [index, text] of [...schedules, ...schedules].entries()) {
    const grace = (15 + dice(30)) * minute;
    const monitor = await plane.addMonitor({ schedule: text, grace_seconds: grace / second });
    const schedule = parseSchedule(text);
    if ("reason" in schedule) throw new Error(schedule.reason);
    const client = { monitor, schedule, grace, spools: index % 2 === 0, deadUntil: 0, runs: [], undelivered: [] };
    clients.push({ ...client, nextRunAt: plan(schedule, grace, plane.clock.now, dice) });
  }
  return clients;
}

/** When a client runs next: a little early, or late but within the grace. */
function plan(schedule: Schedule, grace: number, after: number, dice: Dice): number {
  const run = expectedAfterRun(schedule, after, grace);
  if (!run) throw new Error("This schedule has ended.");
  const early = schedule.kind === "cron" ? Math.floor(earlyBy(run, grace) / 2) : 0;
  const latest = run.graceFrom - run.at + grace - 5 * minute;
  return run.at - early + dice(early + latest);
}

/** Runs a client until a moment. */
function live(client: Client, now: number, dice: Dice): void {
  while (client.nextRunAt <= now) {
    const begun = client.nextRunAt;
    if (begun >= client.deadUntil) {
      client.runs.push(begun);
      client.undelivered.push(begun);
      if (dice(12) === 0) client.deadUntil = begun + (2 + dice(10)) * hour;
    }
    client.nextRunAt = plan(client.schedule, client.grace, begun, dice);
  }
}

async function deliver(plane: WatchedPlane, client: Client, now: number): Promise<void> {
  for (const begun of client.undelivered) {
    const age = now - begun;
    const body = client.spools ? { age_ms: age } : {};
    const isKept = client.spools || age <= pingTimeoutMs;
    await (isKept ? plane.report(client.monitor, body) : undefined);
  }
  client.undelivered = [];
}

/** Compares what a client did with what is said of it. */
async function compare(
  plane: WatchedPlane,
  { monitor, schedule, grace, runs }: Client,
  disturbed: readonly { from: number; until: number }[],
  start: number,
  end: number,
) {
  const windowOf = (at: number) => {
    const run = nextExpected(schedule, schedule.kind === "cron" ? at - 1 : at - schedule.period) ?? fail();
    return { from: at - earlyBy(run, grace), until: run.graceFrom + grace };
  };
  // A message has seconds. Where a run is expected so long after the last one, that has the rest.
  const exactly = (second: number) =>
    runs
      .flatMap((begun) => (schedule.kind === "cron" ? [] : [begun + schedule.period]))
      .find((at) => at - second >= 0 && at - second < 1000) ?? second;
  const hasRun = ({ from, until }: { from: number; until: number }) =>
    runs.some((begun) => begun >= from && begun <= until);
  const rows = await plane.database.snapshot((db) =>
    db
      .selectFrom("tasks")
      .select("document")
      .where("monitor_id", "=", monitor.id)
      .where("outcome", "=", "missed")
      .execute(),
  );
  const missed = rows.map(({ document }) =>
    exactly(Date.parse(/expected at (\S+ \S+ UTC),/.exec(document)?.[1] ?? "")),
  );
  const name = (at: number) => `${new Date(at).toISOString()} ${JSON.stringify(schedule)} ${monitor.id}`;
  const expected: number[] = [];
  for (let run = nextExpected(schedule, start); run && schedule.kind === "cron"; run = nextExpected(schedule, run.at)) {
    if (windowOf(run.at).until > end - minute) break;
    expected.push(run.at);
  }
  const isCalm = ({ from, until }: { from: number; until: number }) =>
    !disturbed.some((one) => one.until >= from - 2 * minute && one.from <= until + 2 * minute);
  const { last_unwatched_timestamp } = await plane.read(monitor);
  return {
    falseAlarms: missed.filter((at) => hasRun(windowOf(at))).map(name),
    unnoticed: expected.filter((at) => !hasRun(windowOf(at)) && isCalm(windowOf(at)) && !missed.includes(at)).map(name),
    misses: missed.length,
    wasUnwatched: last_unwatched_timestamp !== null,
  };
}

function fail(): never {
  throw new Error("This schedule has ended.");
}
