import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import { slugOf } from "@holdfast/server/resources/monitors/store";
import type { TaskRecord } from "@holdfast/server/resources/tasks/record";
import { isProtecting, type Job } from "./catalogue";
import { type Course, inventCourse, inventUnfinished } from "./course";
import { inventSubjects, type Subject } from "./estate";
import { inventOccasions, type Occasion, type Scripted } from "./occasions";
import { createOrderedIds } from "./ordered-ids";
import type { Organization } from "./organization";
import type { Random } from "./random";
import { dayLength, jobAt, type Period } from "./timetable";

/** Of how many days tasks are made up. */
export const daysBack = 90;
const failuresRemembered = 20;

/** A time at which next to nothing succeeds at a site: the store is full, the line is down. */
interface Incident {
  siteId: string;
  from: number;
  until: number;
}

/** Makes up exactly so many tasks of the 90 days before a moment, with those of stories, oldest first. Holds one day in memory. */
export function* inventTasks(
  random: Random,
  organization: Organization,
  count: number,
  until: number,
  scripted: readonly Scripted[] = [],
): Generator<TaskRecord> {
  const period: Period = { from: until - daysBack * dayLength, until };
  const subjects = inventSubjects(random, organization, Math.max(10, Math.round(3 * Math.sqrt(count))), until);
  const incidents = inventIncidents(random, organization, period);
  const nextId = createOrderedIds(random);
  const failed: Subject[] = [];
  const backedUp = new Set<Subject>();

  for (const occasion of inventOccasions(random, organization, subjects, period, count, scripted)) {
    const { at } = occasion;
    const { subject, job } = chooseWork(random, occasion, subjects, { failed, backedUp });
    const course =
      occasion.kind === "scripted"
        ? occasion.course
        : occasion.kind === "unfinished"
          ? inventUnfinished(random, occasion.status, at, until)
          : inventCourse(random, {
              job,
              createdAt: at,
              size: subject.size,
              failureRate: isHit(incidents, subject, at) ? 0.8 : subject.failureRate,
              isScheduled: occasion.kind === "scheduled",
              now: until,
            });
    // A story is whole as it is: no one runs anything of it again.
    if (course.status === "failed" && subject.entity && occasion.kind !== "scripted") failed.push(subject);
    if (failed.length > failuresRemembered) failed.shift();
    if (isProtecting(job) && occasion.kind !== "scripted") backedUp.add(subject);
    yield { ...writeTask(nextId(at), at, job, subject, course), ...monitorOf(occasion, job) };
  }
}

/** History so far. */
interface Past {
  failed: readonly Subject[];
  backedUp: ReadonlySet<Subject>;
}

function chooseWork(random: Random, occasion: Occasion, subjects: readonly Subject[], { failed, backedUp }: Past) {
  if (occasion.kind === "sample" || occasion.kind === "scripted")
    return { subject: occasion.subject, job: occasion.job };
  if (occasion.kind === "scheduled") {
    return { subject: occasion.plan.subject, job: jobAt(occasion.plan, occasion.at) };
  }
  if (occasion.kind === "unfinished") {
    // A running restore or check needs an earlier backup.
    const subject = random.pick(backedUp.size > 0 ? [...backedUp] : subjects);
    return { subject, job: subject.regular };
  }
  // People look after failures: they run it again, or restore it.
  const subject = random.pick(failed.length > 0 && random.isLucky(0.4) ? failed : subjects);
  const { job } = random.pickWeighted(subject.onDemand);
  // A subject without a backup gets one first: the weekly job is one for everything.
  return { subject, job: subject.entity && !backedUp.has(subject) ? subject.weekly : job };
}

/** Monitor fields of a task that is a run of one. */
function monitorOf(occasion: Occasion, job: Job): Pick<TaskRecord, "monitor_id" | "name" | "operation"> {
  if (occasion.kind === "scripted" && occasion.monitor) {
    const { id, name, slug = slugOf({ id, name }) } = occasion.monitor;
    return { monitor_id: id, name, operation: slug };
  }
  if (occasion.kind !== "scheduled" || !isProtecting(job)) return {};
  const { monitorId: id, subject } = occasion.plan;
  return id === undefined ? {} : { monitor_id: id, operation: slugOf({ id, name: subject.entity?.value ?? "" }) };
}

/** One incident every two weeks or so; the last one within the last days. */
function inventIncidents(random: Random, { sites }: Organization, { from, until }: Period): Incident[] {
  const step = (until - from) / 7;
  return Array.from({ length: 7 }, (_, index) => {
    const start = from + step * (index + 0.4 + random.fraction() * 0.4);
    return { siteId: random.pick(sites).id, from: start, until: start + random.whole(5, 30) * 3_600_000 };
  });
}

function isHit(incidents: readonly Incident[], { siteId }: Subject, at: number): boolean {
  return incidents.some((incident) => incident.siteId === siteId && at >= incident.from && at < incident.until);
}

function writeTask(id: string, createdAt: number, job: Job, { unitId, entity }: Subject, course: Course): TaskRecord {
  const ended = timestampOf(course.endedAt);
  const timestampAtEnd = (time: number | null) => (time === course.endedAt ? ended : timestampOf(time));
  return {
    id,
    category: job.category,
    status: course.status,
    progress_percentage: course.progress,
    created_timestamp: formatTimestamp(createdAt),
    type: job.type,
    start_timestamp: timestampOf(course.startedAt),
    end_timestamp: ended,
    organizational_unit_id: unitId,
    primary_entity: entity,
    outcome: course.outcome,
    error: course.fault && {
      code: course.fault.code,
      message: course.fault.message.replaceAll("{entity}", entity?.value ?? "this report"),
      remedy: course.fault.remedy.replaceAll("{entity}", entity?.value ?? "this report"),
    },
    // No runner is behind these tasks that could be asked to.
    is_abortable: false,
    last_heartbeat_timestamp: timestampAtEnd(course.heardAt),
    last_progress_timestamp: timestampAtEnd(course.progressedAt),
  };
}

function timestampOf(time: number | null): string | null {
  return time === null ? null : formatTimestamp(time);
}
