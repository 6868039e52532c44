import type { Queries } from "@holdfast/server/database/database";
import { findStaleWork, markStale } from "@holdfast/server/resources/entities/mark-stale";
import { setAttention } from "@holdfast/server/resources/entities/store";
import { expectFrom } from "@holdfast/server/resources/monitors/expectation";
import { followRuns, type MonitorTransition } from "@holdfast/server/resources/monitors/follow-runs";
import { noteListening } from "@holdfast/server/resources/monitors/listening";
import { addPingKey } from "@holdfast/server/resources/monitors/ping-keys/store";
import { settleState } from "@holdfast/server/resources/monitors/state";
import { addMonitor, defaultChoices, slugOf } from "@holdfast/server/resources/monitors/store";
import type { TaskRecord } from "@holdfast/server/resources/tasks/record";
import type { Sealer } from "@holdfast/server/secrets/seal";
import { createOrderedIds } from "./ordered-ids";
import type { Organization } from "./organization";
import type { Random } from "./random";
import type { DemoMonitor, Story } from "./stories";
import { cronAt } from "./wall-clock";

const hour = 3_600_000;
const day = 24 * hour;
/** Period expected of runs that runners report, in seconds: long enough that it is still good some days later. */
const periodOfOthers = 14 * 86_400;

/** As the service has it unless it is set. */
const staleAfterDays = 7;

/** Input for the demonstration monitors. */
export interface DemoPast {
  random: Random;
  organization: Organization;
  stories: readonly Story[];
  /** The newest runs of each monitor. */
  runs: ReadonlyMap<string, readonly TaskRecord[]>;
  until: number;
}

/** Adds monitors with their past, ping keys, and what people have said of protected entities. Gives how monitors turned. */
export async function addDemoMonitors(db: Queries, sealer: Sealer, past: DemoPast): Promise<MonitorTransition[]> {
  const { stories, runs, until } = past;
  const ofStories = stories.flatMap(({ monitor }) => monitor ?? []);
  const ids = new Set(ofStories.map(({ id }) => id));
  const others = [...runs].flatMap(([id, tasks]) => (ids.has(id) ? [] : monitorOf(id, tasks, until)));
  const turns: MonitorTransition[] = [];
  for (const monitor of [...ofStories, ...others, restoreTest(past)]) {
    turns.push(...(await addWithPast(db, sealer, monitor, runs.get(monitor.id) ?? [], until)));
  }
  await addKeys(db, past);
  for (const story of stories) await payAttention(db, story);
  // The time between this and the start of the service was not watched, so nothing in it is missed.
  await noteListening(db, { now: until, isFirst: false, wasBackFrom: null });
  const stale = await findStaleWork(db, staleAfterDays);
  if (stale.size > 0) await markStale(db, stale);
  return turns;
}

async function addWithPast(
  db: Queries,
  sealer: Sealer,
  monitor: DemoMonitor,
  runs: readonly TaskRecord[],
  until: number,
): Promise<MonitorTransition[]> {
  const { id, name, slug = slugOf({ id, name }), unitId, category, type, grace, pausedUntil, createdAt } = monitor;
  const schedule = JSON.stringify(monitor.schedule);
  const chosen = {
    ...defaultChoices,
    ...{ id, name, slug, category, type, schedule },
    organizational_unit_id: unitId,
    grace_seconds: grace / 1000,
    paused_until: pausedUntil,
    primary_entity: JSON.stringify(monitor.entity),
  };
  await addMonitor(db, sealer, chosen, createdAt);
  const turns = await followRuns(
    db,
    runs.map((task) => ({ task, before: null })),
    until,
  );
  const row = await db.selectFrom("monitors").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  // A missed run has its task already.
  const isOver = row.next_expected_at !== null && row.next_expected_at + grace <= until;
  const facts = isOver ? { ...row, ...expectFrom(schedule, until) } : row;
  const { next_expected_at, grace_counts_from_at } = facts;
  await db
    .updateTable("monitors")
    .set({ next_expected_at, grace_counts_from_at, ...settleState(facts, until) })
    .set({ last_ping_at: monitor.isPinged ? lastPing(runs) : null })
    .where("id", "=", id)
    .execute();
  return turns;
}

/** The last end or beginning of a run that a ping has reported. */
function lastPing(runs: readonly TaskRecord[]): number | null {
  const times = runs.flatMap(({ start_timestamp, end_timestamp }) =>
    start_timestamp === null ? [] : [Date.parse(end_timestamp ?? start_timestamp)],
  );
  return times.length === 0 ? null : Math.max(...times);
}

/** The monitor of something whose runs a runner reports. */
function monitorOf(id: string, runs: readonly TaskRecord[], until: number): DemoMonitor[] {
  const [first] = runs;
  if (!first?.primary_entity) return [];
  const { category, type, primary_entity: entity, organizational_unit_id: unitId } = first;
  return [
    {
      ...{ id, unitId, category, type, entity },
      name: entity.value,
      schedule: { period_seconds: periodOfOthers },
      grace: day,
      pausedUntil: null,
      createdAt: until - 120 * day,
      isPinged: false,
    },
  ];
}

/** A monitor that has been made and not yet been pinged. */
function restoreTest({ random, organization, until }: DemoPast): DemoMonitor {
  const createdAt = until - 2 * day;
  const id = createOrderedIds(random)(createdAt);
  const { id: unitId, timeZone } = random.pick(organization.departments);
  const name = "Monthly restore test";
  return {
    ...{ id, name, unitId, createdAt },
    category: "restore",
    type: "restic_restore",
    entity: { id, type: "job", value: name },
    schedule: { cron: cronAt(until + 15 * day, timeZone, "month"), time_zone: timeZone },
    grace: day,
    pausedUntil: null,
    isPinged: true,
  };
}

async function addKeys(db: Queries, { random, organization, until }: DemoPast): Promise<void> {
  const nextId = createOrderedIds(random);
  const [region] = organization.regions;
  const site = organization.sites.at(-1);
  const keys = [
    { name: "New servers", unit: region, category: "backup", type: "restic_backup", mayCreate: true, period: 86_400 },
    { name: "Tape robot", unit: site, category: "backup", type: "ping_run", mayCreate: false, period: null },
  ] as const;
  for (const { name, unit, category, type, mayCreate, period } of keys) {
    const created_at = until - 60 * day;
    await addPingKey(db, {
      ...{ id: nextId(created_at), name, category, type, created_at },
      organizational_unit_id: unit?.id ?? "",
      may_create: mayCreate ? 1 : 0,
      default_period_seconds: period,
    });
  }
}

async function payAttention(db: Queries, { subject, mutedUntil, isRetired }: Story): Promise<void> {
  if (mutedUntil === null && !isRetired) return;
  const row = await db
    .selectFrom("protected_entities")
    .select("id")
    .where("organizational_unit_id", "=", subject.unitId)
    .where("entity_type", "=", subject.entity?.type ?? "")
    .where("entity_id", "=", subject.entity?.id ?? "")
    .executeTakeFirstOrThrow();
  await setAttention(db, row.id, { muted_until: mutedUntil, is_retired: isRetired ? 1 : 0 });
}
