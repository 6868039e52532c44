import type { TaskRecord } from "@holdfast/server/resources/tasks/record";
import { subjectKinds } from "./catalogue";
import { type Subject, subjectOf } from "./estate";
import { faultOf } from "./faults";
import { type Scripted, sampleCount } from "./occasions";
import { createOrderedIds } from "./ordered-ids";
import type { Department, Organization } from "./organization";
import { type Plot, type PlotEnding, plots, troubled } from "./plots";
import type { Random } from "./random";
import * as courses from "./scripted-course";
import { cronAt } from "./wall-clock";

/** A monitor that is made up. Times are milliseconds. */
export interface DemoMonitor extends Pick<TaskRecord, "category" | "type"> {
  id: string;
  name: string;
  /** Made of the name where it is left out. */
  slug?: string | undefined;
  unitId: string;
  entity: NonNullable<TaskRecord["primary_entity"]>;
  schedule: { cron: string; time_zone: string } | { period_seconds: number };
  grace: number;
  pausedUntil: number | null;
  createdAt: number;
  /** True if pings report its runs. Those of others come from runners. */
  isPinged: boolean;
}

/** Something that is protected: its runs, and what a person has said about it. */
export interface Story {
  subject: Subject;
  monitor?: DemoMonitor;
  mutedUntil: number | null;
  isRetired: boolean;
  tasks: Scripted[];
  plot: Plot;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const maxRuns = 28;
const oldest = 89 * day;
/** Maximum share of the runs of one story in all tasks. */
const share = 0.03;
const firstNumber = 41;

/** Makes up the stories for which so many tasks leave room, each whole. */
export function inventStories(random: Random, organization: Organization, count: number, until: number): Story[] {
  const nextId = createOrderedIds(random);
  const runs = Math.min(maxRuns, Math.floor(count * share));
  let room = count - sampleCount;
  return plots.flatMap((plot, index) => {
    const department = random.pick(organization.departments);
    const story = tell(random, { plot, department, number: firstNumber + index, runs, until, nextId });
    if (story.tasks.length > room) return [];
    room -= story.tasks.length;
    return [story];
  });
}

/** Subject that has failed from its first backup on; undefined if there was no room for one. */
export function findTroubled(stories: readonly Story[]): Subject | undefined {
  return stories.find(({ plot }) => plot === troubled)?.subject;
}

interface Setting {
  plot: Plot;
  department: Department;
  number: number;
  /** Number of runs. */
  runs: number;
  until: number;
  nextId: (at: number) => string;
}

function tell(random: Random, setting: Setting): Story {
  const { plot, department, number, until, nextId } = setting;
  const kind = subjectKinds.find(({ regular }) => regular.type === plot.type);
  if (!kind) throw new Error(`Nothing is protected by ${plot.type}.`);
  const subject = subjectOf(kind, department, number, nextId(until - 100 * day));
  const monitor = plot.monitor && inventMonitor(subject, setting);
  return {
    subject,
    ...(monitor ? { monitor } : {}),
    mutedUntil: plot.mutedFor === undefined ? null : until + plot.mutedFor,
    isRetired: plot.isRetired ?? false,
    tasks: [...tellRuns(random, subject, monitor, setting), ...(plot.hasRestores ? tellRestores(subject, until) : [])],
    plot,
  };
}

function inventMonitor(subject: Subject, { plot, department, until, nextId }: Setting): DemoMonitor {
  const { name = "", slug, grace = hour, hasPeriod, pausedFor } = plot.monitor ?? {};
  const createdAt = until - 95 * day;
  const { category, type } = subject.regular;
  const id = nextId(createdAt);
  const cron = cronAt(until - plot.ago, department.timeZone, plot.every === day ? "day" : "week");
  return {
    id,
    name: slug === undefined ? `${name}: ${subject.entity?.value}` : name,
    slug,
    unitId: subject.unitId,
    category,
    type,
    entity: subject.entity ?? { id, type: "job", value: name },
    schedule: hasPeriod ? { period_seconds: plot.every / 1000 } : { cron, time_zone: department.timeZone },
    grace,
    pausedUntil: pausedFor === undefined ? null : until + pausedFor,
    createdAt,
    isPinged: true,
  };
}

function tellRuns(
  random: Random,
  subject: Subject,
  monitor: DemoMonitor | undefined,
  { plot, runs, until }: Setting,
): Scripted[] {
  const room = Math.floor((oldest - plot.ago) / plot.every);
  const min = plot.runs?.min ?? 2;
  const count = Math.max(min, Math.min(runs, room, plot.runs?.max ?? maxRuns));
  return Array.from({ length: count }, (_, index): Scripted => {
    const back = count - 1 - index;
    const expectedAt = until - plot.ago - back * plot.every;
    const planned = plot.last.at(-1 - back);
    // The first of few runs has to be a good one, or nothing is protected.
    const ending =
      index === 0 && plot !== troubled ? "success" : (planned ?? (random.isLucky(0.05) ? "warning" : "success"));
    const run = { subject, job: subject.regular, kind: "scripted" as const, ...(monitor ? { monitor } : {}) };
    const missedAt = expectedAt + (monitor?.grace ?? hour);
    if (ending === "missed") return { ...run, at: missedAt, course: courses.missed(expectedAt, missedAt) };
    const at = expectedAt + random.whole(2_000, 25_000);
    if (plot.isRunning && back === 0) return { ...run, at, course: courses.underWay(at, until, "in_progress") };
    const defaultValue = subject.regular.minutes * minute * (0.8 + 0.4 * random.fraction());
    const endedAt = at + Math.floor(Math.min(defaultValue, (until - at) * 0.8));
    return { ...run, at, course: courseOf(ending, { at, endedAt }, plot) };
  });
}

function courseOf(ending: Exclude<PlotEnding, "missed">, run: { at: number; endedAt: number }, { fault }: Plot) {
  switch (ending) {
    case "success":
      return courses.succeeded(run);
    case "warning":
      return courses.incomplete(run);
    case "lost":
      return courses.lost(run);
    case "error":
      return courses.failed({ at: run.at, endedAt: run.at + 40_000 }, faultOf(fault ?? "connection_closed"));
  }
}

/** Restores that have not come to an end as they should. They say nothing about the backup. */
function tellRestores(subject: Subject, until: number): Scripted[] {
  const job = subject.onDemand.find((one) => one.job.category === "restore")?.job ?? subject.regular;
  const task = { subject, job, kind: "scripted" as const };
  const cancelledAt = until - 2 * day - 5 * hour;
  const expiredAt = until - 3 * day;
  const abortingAt = until - 12 * minute;
  return [
    { ...task, at: cancelledAt, course: courses.cancelled({ at: cancelledAt, endedAt: cancelledAt + 4 * minute }) },
    { ...task, at: expiredAt, course: courses.expired(expiredAt, 6 * hour) },
    { ...task, at: abortingAt, course: courses.underWay(abortingAt, until, "aborting") },
    { ...task, at: until - 3 * minute, course: courses.waitsForRunner },
  ];
}
