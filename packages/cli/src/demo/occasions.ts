import { taskCategories } from "@holdfast/api/resources/task-words";
import type { Job } from "./catalogue";
import { inventReports, type Subject } from "./estate";
import type { Organization } from "./organization";
import type { Random } from "./random";
import {
  countRuns,
  dayLength,
  daysOf,
  longestDelay,
  type Period,
  type Plan,
  planReports,
  planRuns,
  runTimes,
} from "./timetable";

/** A task that comes, before it is known how it goes. */
export type Occasion = { at: number } & (
  | { kind: "scheduled"; plan: Plan }
  | { kind: "by hand" }
  | { kind: "sample"; subject: Subject; job: Job }
  | { kind: "unfinished"; status: "queued" | "in_progress" | "aborting" }
);

const hour = 3_600_000;
const scheduledShare = 0.92;
const reportsShare = 0.05;
const unfinishedSince = hour;

/** Makes up when exactly so many tasks come, day by day and in order. */
export function* inventOccasions(
  random: Random,
  organization: Organization,
  subjects: readonly Subject[],
  period: Period,
  count: number,
): Generator<Occasion> {
  const reports = planAllReports(random, organization);
  const reportRuns = countAllRuns(reports, period);
  // A handful of tasks has no room for regular reports, and chance alone would leave out other categories as well.
  const isHandful = reportRuns > count * reportsShare;
  const samples = isHandful ? inventSamples(random, organization, subjects, period).slice(0, count) : [];
  const room = count - samples.length;
  const regular = room * scheduledShare - (isHandful ? 0 : reportRuns);
  const plans = [...(isHandful ? [] : reports), ...planRuns(random, subjects, period, regular)];
  const scheduled = countAllRuns(plans, period);
  const unfinished = Array.from({ length: Math.min(room - scheduled, Math.ceil(Math.sqrt(count) / 4)) }, (_, turn) =>
    inventUnfinishedOccasion(random, turn, period),
  );
  const byHand = spreadOverDays(room - scheduled - unfinished.length, period);
  for (const { day, count } of byHand) {
    const occasions: Occasion[] = [...unfinished, ...samples].filter(({ at }) => Math.floor(at / dayLength) === day);
    for (const plan of plans) {
      for (const time of runTimes(plan, day, period)) {
        occasions.push({ at: time + random.whole(0, longestDelay - 1), kind: "scheduled", plan });
      }
    }
    for (let turn = 0; turn < count; turn++) {
      occasions.push({ at: inventTimeByHand(random, day, period), kind: "by hand" });
    }
    yield* occasions.sort((left, right) => left.at - right.at);
  }
}

function planAllReports(random: Random, organization: Organization): Plan[] {
  return [
    ...planReports(random, inventReports(organization, "weekly"), "weekly"),
    ...planReports(random, inventReports(organization, "monthly"), "monthly"),
  ];
}

function countAllRuns(plans: readonly Plan[], period: Period): number {
  return plans.reduce((sum, plan) => sum + countRuns(plan, period), 0);
}

/** One task of each category, so that there is something to find whatever is filtered by. */
function inventSamples(
  random: Random,
  organization: Organization,
  subjects: readonly Subject[],
  period: Period,
): Occasion[] {
  const work = [...subjects, ...inventReports(organization, "weekly")].flatMap((subject) =>
    [subject.regular, ...subject.onDemand.map(({ job }) => job)].map((job) => ({ subject, job })),
  );
  return taskCategories.map((category) => ({
    at: inventTimeByHand(random, random.pick(daysOf(period)), period),
    kind: "sample",
    ...random.pick(work.filter(({ job }) => job.category === category)),
  }));
}

/** Of what is not finished, most is running. */
function inventUnfinishedOccasion(random: Random, turn: number, { from, until }: Period): Occasion {
  const status = (["in_progress", "queued", "in_progress", "aborting", "in_progress"] as const)[turn % 5] ?? "queued";
  return { at: Math.max(from, until - random.whole(60_000, unfinishedSince)), kind: "unfinished", status };
}

/** Spreads tasks over days: on a weekend people start few. */
function spreadOverDays(count: number, period: Period): { day: number; count: number }[] {
  const days = daysOf(period).map((day) => {
    const covered = Math.min(period.until, (day + 1) * dayLength) - Math.max(period.from, day * dayLength);
    const isWeekend = [0, 6].includes(new Date(day * dayLength).getUTCDay());
    return { day, weight: covered * (isWeekend ? 0.2 : 1) };
  });
  const total = days.reduce((sum, { weight }) => sum + weight, 0);
  let weightSoFar = 0;
  let countSoFar = 0;
  return days.map(({ day, weight }) => {
    weightSoFar += weight;
    const reached = Math.round((count * weightSoFar) / total);
    const share = reached - countSoFar;
    countSoFar = reached;
    return { day, count: share };
  });
}

/** People work by day, in Europe most of them. */
function inventTimeByHand(random: Random, day: number, { from, until }: Period): number {
  const start = Math.max(from, day * dayLength);
  const end = Math.min(until, (day + 1) * dayLength);
  const time = Math.floor(day * dayLength + 12.5 * hour + random.bell() * 3.5 * hour);
  return time >= start && time < end ? time : start + Math.floor(random.fraction() * (end - start));
}
