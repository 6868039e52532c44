import type { TaskRecord } from "@holdfast/server/resources/tasks/record";
import { type Job, type SubjectKind, siteReports, subjectKinds } from "./catalogue";
import { createOrderedIds } from "./ordered-ids";
import type { Department, Organization } from "./organization";
import type { Random } from "./random";

/** Something that tasks run on, again and again. */
export interface Subject {
  unitId: string;
  siteId: string;
  hoursAheadOfUtc: number;
  /** Reports are about a whole site and have none. */
  entity: TaskRecord["primary_entity"];
  regular: Job;
  weekly: Job;
  onDemand: SubjectKind["onDemand"];
  /** Factor by which its tasks take longer than typical ones. */
  size: number;
  /** Share of its tasks that fail. */
  failureRate: number;
}

const year = 365 * 86_400_000;

/** Makes up the machines, databases and volumes of all departments. */
export function inventSubjects(random: Random, { departments }: Organization, count: number, until: number): Subject[] {
  const nextId = createOrderedIds(random);
  const numbers = new Map<string, number>();
  const subject = (kind: SubjectKind, department: Department): Subject => {
    const sequence = `${department.id} ${subjectKinds.indexOf(kind)}`;
    const number = (numbers.get(sequence) ?? 0) + 1;
    numbers.set(sequence, number);
    return {
      ...subjectOf(kind, department, number, nextId(until - Math.floor(random.fraction() * year))),
      size: Math.exp(random.bell() * 0.6),
      failureRate: inventFailureRate(random),
    };
  };
  // One of each kind first, so that the smallest company has them all.
  return Array.from({ length: count }, (_, index) =>
    subject(subjectKinds[index] ?? random.pickWeighted(subjectKinds), random.pick(departments)),
  );
}

/** A machine, database or volume of a department, of the usual size, on which nothing fails by chance. */
export function subjectOf(kind: SubjectKind, department: Department, number: number, id: string): Subject {
  return {
    unitId: department.id,
    siteId: department.siteId,
    hoursAheadOfUtc: department.hoursAheadOfUtc,
    entity: { id, type: kind.entityType, value: kind.name(department.prefix, number) },
    regular: kind.regular,
    weekly: kind.weekly ?? kind.regular,
    onDemand: kind.onDemand,
    size: 1,
    failureRate: 0,
  };
}

/** Weekly or monthly reports on each site. */
export function inventReports({ sites, departments }: Organization, rhythm: keyof typeof siteReports): Subject[] {
  const report = siteReports[rhythm];
  return sites.map(({ id }) => ({
    unitId: id,
    siteId: id,
    hoursAheadOfUtc: departments.find(({ siteId }) => siteId === id)?.hoursAheadOfUtc ?? 0,
    entity: null,
    regular: report,
    weekly: report,
    onDemand: [{ weight: 1, job: report }],
    size: 1,
    failureRate: 0.01,
  }));
}

/** Most things hardly ever fail; a few do all the time. */
function inventFailureRate(random: Random): number {
  return random.isLucky(0.05) ? 0.1 + random.fraction() * 0.25 : random.fraction() * 0.02;
}
