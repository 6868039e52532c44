import { refuse, refuseField } from "@holdfast/api/conventions/api-error";
import { withoutMarks } from "@holdfast/api/conventions/compose";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { monitorNumbers } from "@holdfast/api/resources/monitors";
import type { Queries } from "../../database/database";
import type { Sealer } from "../../secrets/seal";
import { expectFrom } from "./expectation";
import { newPingUrl } from "./ping-url";
import { isPaused, type Monitor, settleState } from "./state";
import { followWatching } from "./watched-entities";

/** Maximum number of monitors in a unit. */
const maxPerUnit = 5_000;

/** A new monitor: everything that is chosen. */
export interface NewMonitor
  extends Pick<
    Monitor,
    | "id"
    | "organizational_unit_id"
    | "name"
    | "slug"
    | "category"
    | "type"
    | "operation"
    | "schedule"
    | "grace_seconds"
    | "run_limit_seconds"
    | "body_rules"
    | "paused_until"
  > {
  /** The monitor itself where it is left out. */
  primary_entity?: string | undefined;
}

/** Default choices of a monitor. */
export const defaultChoices = {
  operation: null,
  schedule: null,
  grace_seconds: monitorNumbers.graceSeconds.default,
  run_limit_seconds: monitorNumbers.runLimitSeconds.default,
  body_rules: null,
  paused_until: null,
} as const;

/** Makes a monitor. Refuses a slug that is taken, and more monitors than a unit can have. */
export async function addMonitor(db: Queries, sealer: Sealer, monitor: NewMonitor, now: number): Promise<void> {
  await refuseTakenSlug(db, monitor.organizational_unit_id, monitor.slug);
  await requireRoom(db, monitor.organizational_unit_id);
  const expected = isPaused(monitor, now) ? expectFrom(null, now) : expectFrom(monitor.schedule, now);
  const facts = { ...monitor, ...expected, missed_in_a_row: 0, recent_outcomes: "[]" };
  const state = settleState(facts, now);
  const primary_entity = monitor.primary_entity ?? ownEntity(monitor);
  await db
    .insertInto("monitors")
    .values({
      ...facts,
      ...monitorNames(monitor.name),
      ...state,
      ...newPingUrl(sealer, monitor.id),
      primary_entity,
      is_down: 0,
      open_runs: 0,
      watched_from_at: now,
      last_begun_at: null,
      last_ping_at: null,
      last_task_id: null,
      last_unwatched_at: null,
      previous_url_hash: null,
      previous_url_ends_at: null,
      created_at: now,
    })
    .execute();
  await followWatching(db, [{ before: null, after: { ...facts, ...state, primary_entity } }]);
}

/** The columns that a name fills: what is sorted and compared is stored. */
export function monitorNames(name: string): Pick<Monitor, "name" | "name_lower" | "name_folded"> {
  return { name, name_lower: name.toLowerCase(), name_folded: foldCase(name) };
}

/** Default entity of the runs of a monitor: the monitor itself. */
export function ownEntity({ id, name }: Pick<Monitor, "id" | "name">): string {
  return JSON.stringify({ id, type: "job", value: name });
}

/** A slug made of a name. A name in another script has no letters for it, so that only the id tells two of them apart. */
export function slugOf({ id, name }: Pick<Monitor, "id" | "name">): string {
  const plain = withoutMarks(name).toLowerCase();
  const slug = plain.replace(/[^a-z0-9_]+/g, "-").slice(0, textLimits.slug);
  return slug.replace(/^-+|-+$/g, "") || `monitor-${id.slice(0, 8)}`;
}

/** Refuses a slug that another monitor of the unit has. */
export async function refuseTakenSlug(db: Queries, unitId: string, slug: string, besides = ""): Promise<void> {
  const taken = await db
    .selectFrom("monitors")
    .select("id")
    .where("organizational_unit_id", "=", unitId)
    .where("slug", "=", slug)
    .where("id", "!=", besides)
    .executeTakeFirst();
  if (!taken) return;
  throw refuseField(
    "alreadyThere",
    "/slug",
    `There is a monitor with the slug ${slug} in this organizational unit already. Choose another slug.`,
  );
}

async function requireRoom(db: Queries, unitId: string): Promise<void> {
  const { count } = await db
    .selectFrom("monitors")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organizational_unit_id", "=", unitId)
    .executeTakeFirstOrThrow();
  if (Number(count) < maxPerUnit) return;
  throw refuse(
    "tooMany",
    `An organizational unit has at most ${maxPerUnit} monitors. Delete some, or use another unit.`,
  );
}
