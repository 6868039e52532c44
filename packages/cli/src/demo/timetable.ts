import type { Job } from "./catalogue";
import type { Subject } from "./estate";
import type { Random } from "./random";

/** Rhythm of runs: on which days, and how many times on such a day. */
interface Rhythm {
  days: "first of the month" | "once a week" | "every day";
  timesADay: number;
}

/** Plan of runs. */
export interface Plan extends Timing {
  subject: Subject;
  /** The monitor that its backups are runs of. */
  monitorId?: string;
}

interface Timing {
  rhythm: Rhythm;
  /** The first run of a day, in minutes after midnight UTC. */
  minute: number;
  /** The day for what comes once a week. */
  weekday: number;
}

/** The time that the tasks are from: its end is not included. */
export interface Period {
  from: number;
  until: number;
}

export const dayLength = 86_400_000;
/** A run begins this much after its time at most: the day's last one must not slip into the next day. */
export const maxDelayMs = 120_000;
const minuteLength = 60_000;
const lastMinute = 24 * 60 - 3;

const monthly: Rhythm = { days: "first of the month", timesADay: 1 };
const weekly: Rhythm = { days: "once a week", timesADay: 1 };

/** From rare to frequent. */
const rhythms: readonly Rhythm[] = [
  monthly,
  weekly,
  { days: "every day", timesADay: 1 },
  { days: "every day", timesADay: 4 },
  { days: "every day", timesADay: 24 },
  { days: "every day", timesADay: 96 },
];

/** Plans regular runs of all subjects: about so many of them, never more. */
export function planRuns(random: Random, subjects: readonly Subject[], period: Period, runs: number): Plan[] {
  const counted = rhythms.map((rhythm) => ({ rhythm, count: countRuns({ rhythm, minute: 0, weekday: 0 }, period) }));
  let left = runs;
  return subjects.flatMap((subject, index) => {
    const rhythm = chooseRhythm(random, counted, left / (subjects.length - index));
    const plan = rhythm && inventPlan(random, subject, rhythm);
    const count = plan ? countRuns(plan, period) : 0;
    if (!plan || count > left) return [];
    left -= count;
    return [plan];
  });
}

/** Reports come on Mondays and on the first of a month, early in the morning. */
export function planReports(random: Random, subjects: readonly Subject[], rhythm: "weekly" | "monthly"): Plan[] {
  return subjects.map((subject) => ({
    subject,
    rhythm: rhythm === "weekly" ? weekly : monthly,
    minute: utcMinute(6 * 60 + random.whole(0, 45), subject),
    weekday: 1,
  }));
}

/** True if a plan comes often enough to be expected within two weeks. */
export function isFrequent({ rhythm }: Plan): boolean {
  return rhythm.days !== "first of the month";
}

export function countRuns(timing: Timing, period: Period): number {
  let count = 0;
  for (const day of daysOf(period)) count += runTimes(timing, day, period).length;
  return count;
}

/** The days that a period touches, since 1970. */
export function daysOf({ from, until }: Period): number[] {
  const first = Math.floor(from / dayLength);
  return Array.from({ length: Math.ceil(until / dayLength) - first }, (_, index) => first + index);
}

/** When a plan runs on a day. */
export function runTimes({ rhythm, minute, weekday }: Timing, day: number, { from, until }: Period): number[] {
  if (rhythm.days === "once a week" && weekdayOf(day) !== weekday) return [];
  if (rhythm.days === "first of the month" && new Date(day * dayLength).getUTCDate() !== 1) return [];
  const step = dayLength / rhythm.timesADay;
  const first = day * dayLength + ((minute * minuteLength) % step);
  return Array.from({ length: rhythm.timesADay }, (_, index) => first + index * step).filter(
    (time) => time >= from && time + maxDelayMs <= until,
  );
}

/** Job that runs at a time: once a week the big job takes the place of the small one. */
export function jobAt({ subject, rhythm, weekday }: Plan, at: number): Job {
  const isFirstOfDay = at % dayLength < dayLength / rhythm.timesADay;
  return isFirstOfDay && weekdayOf(Math.floor(at / dayLength)) === weekday ? subject.weekly : subject.regular;
}

/** Sunday is 0. */
function weekdayOf(day: number): number {
  return (day + 4) % 7;
}

/** Chooses between the two rhythms around the number of runs that are wanted, so that on average it is met. */
function chooseRhythm(
  random: Random,
  counted: readonly { rhythm: Rhythm; count: number }[],
  runs: number,
): Rhythm | undefined {
  const above = counted.find(({ count }) => count > runs);
  const below = counted.findLast(({ count }) => count <= runs);
  if (!above) return below?.rhythm;
  const low = below?.count ?? 0;
  return random.isLucky((runs - low) / (above.count - low)) ? above.rhythm : below?.rhythm;
}

/** Nights are busiest around one o'clock; what runs more often than daily begins anywhere. */
function inventPlan(random: Random, subject: Subject, rhythm: Rhythm): Plan {
  const minute =
    rhythm.timesADay === 1
      ? utcMinute(60 + Math.round(random.bell() * 100), subject)
      : random.whole(0, Math.min(59, (24 * 60) / rhythm.timesADay - 3));
  return { subject, rhythm, minute, weekday: random.isLucky(0.7) ? 0 : 6 };
}

function utcMinute(localMinute: number, { hoursAheadOfUtc }: Subject): number {
  const minute = localMinute - hoursAheadOfUtc * 60;
  return Math.min(lastMinute, ((minute % 1440) + 1440) % 1440);
}
