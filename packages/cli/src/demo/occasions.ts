import { type TaskCategory, taskCategories } from "@holdfast/api/resources/task-words";
import { isProtecting, type Job } from "./catalogue";
import type { Course } from "./course";
import { inventReports, type Subject } from "./estate";
import { createOrderedIds } from "./ordered-ids";
import type { Organization } from "./organization";
import type { Random } from "./random";
import {
  countRuns,
  dayLength,
  daysOf,
  isFrequent,
  maxDelayMs,
  type Period,
  type Plan,
  planReports,
  planRuns,
  runTimes,
} from "./timetable";

/** A task of a story: how it goes is known. */
export interface Scripted {
  at: number;
  kind: "scripted";
  subject: Subject;
  job: Job;
  course: Course;
  monitor?: { id: string; name: string; slug?: string | undefined };
}

/** A task that comes, most of them before it is known how it goes. */
export type Occasion = Scripted | RandomOccasion;

type RandomOccasion = { at: number } & (
  | { kind: "scheduled"; plan: Plan }
  | { kind: "by hand" }
  | { kind: "sample"; subject: Subject; job: Job }
  | { kind: "unfinished"; status: "queued" | "in_progress" | "aborting" }
);

const hour = 3_600_000;
const scheduledShare = 0.92;
const reportsShare = 0.05;
const unfinishedSince = hour;
const watchedShare = 0.4;
const maxWatched = 40;

/** Makes up when exactly so many tasks come, day by day and in order. */
export function* inventOccasions(
  random: Random,
  organization: Organization,
  subjects: readonly Subject[],
  period: Period,
  count: number,
  scripted: readonly Scripted[],
): Generator<Occasion> {
  const reports = planAllReports(random, organization);
  const reportRuns = countAllRuns(reports, period);
  // A handful of tasks has no room for regular reports, and chance alone would leave out other categories as well.
  const isHandful = reportRuns > count * reportsShare;
  const scriptedCategories = new Set(scripted.map(({ job }) => job.category));
  const samples = isHandful
    ? inventSamples(random, organization, subjects, period, (category) => !scriptedCategories.has(category)).slice(
        0,
        count,
      )
    : [];
  const room = count - samples.length - scripted.length;
  const regular = room * scheduledShare - (isHandful ? 0 : reportRuns);
  const plans = [
    ...(isHandful ? [] : reports),
    ...watchSome(random, planRuns(random, subjects, period, regular), period),
  ];
  const scheduled = countAllRuns(plans, period);
  const unfinished = Array.from({ length: Math.min(room - scheduled, unfinishedOf(count)) }, (_, turn) =>
    inventUnfinishedOccasion(random, turn, period),
  );
  const byHand = spreadOverDays(room - scheduled - unfinished.length, period);
  for (const { day, count } of byHand) {
    const occasions: Occasion[] = [...unfinished, ...samples, ...scripted].filter(
      ({ at }) => Math.floor(at / dayLength) === day,
    );
    for (const plan of plans) {
      for (const time of runTimes(plan, day, period)) {
        occasions.push({ at: time + random.whole(0, maxDelayMs - 1), kind: "scheduled", plan });
      }
    }
    for (let turn = 0; turn < count; turn++) {
      occasions.push({ at: inventTimeByHand(random, day, period), kind: "by hand" });
    }
    yield* occasions.sort((left, right) => left.at - right.at);
  }
}

/** Number of tasks that are under way, beside those that were due: a large company has more of them, but not a thousand. */
function unfinishedOf(count: number): number {
  return Math.ceil(Math.min(Math.sqrt(count) / 4, 4 + Math.sqrt(count) / 40));
}

/** Number of samples that a handful of tasks begins with. */
export const sampleCount = taskCategories.length;

/** Lets monitors expect the backups of some plans: too few to be good is what most companies are. */
function watchSome(random: Random, plans: readonly Plan[], { from }: Period): Plan[] {
  const nextId = createOrderedIds(random);
  let watched = 0;
  return plans.map((plan) => {
    const isWatched = isFrequent(plan) && isProtecting(plan.subject.weekly) && random.isLucky(watchedShare);
    if (!isWatched || watched === maxWatched) return plan;
    watched += 1;
    return { ...plan, monitorId: nextId(from) };
  });
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

/** One task of each category that is wanted, so that there is something to find whatever is filtered by. */
function inventSamples(
  random: Random,
  organization: Organization,
  subjects: readonly Subject[],
  period: Period,
  isWanted: (category: TaskCategory) => boolean,
): RandomOccasion[] {
  const work = [...subjects, ...inventReports(organization, "weekly")].flatMap((subject) =>
    [subject.regular, ...subject.onDemand.map(({ job }) => job)].map((job) => ({ subject, job })),
  );
  return taskCategories.filter(isWanted).map((category) => ({
    at: inventTimeByHand(random, random.pick(daysOf(period)), period),
    kind: "sample",
    ...random.pick(work.filter(({ job }) => job.category === category)),
  }));
}

/** Of what is not finished, most is running. */
function inventUnfinishedOccasion(random: Random, turn: number, { from, until }: Period): RandomOccasion {
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
