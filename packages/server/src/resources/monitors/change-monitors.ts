import { randomUUID } from "node:crypto";
import { refuse } from "@holdfast/api/conventions/api-error";
import { FieldChecks } from "@holdfast/api/conventions/texts";
import { canonicalId } from "@holdfast/api/conventions/uuid";
import { monitorBodies, monitorDefaults } from "@holdfast/api/resources/monitors";
import { z } from "zod";
import { type ChangeCall, type Changed, type ChangeImplementation, implementChange } from "../../operations/change";
import { variableOf } from "../../operations/path-variables";
import { expectFrom } from "./expectation";
import { findMonitor, type ShownMonitor } from "./list-monitors";
import { newPingUrl } from "./ping-url";
import { pingUrlOf, presentMonitorV1, writeMonitorV1 } from "./present";
import { type Choices, readChoices, readName } from "./read-choices";
import { isPaused, type Monitor, settleState } from "./state";
import { addMonitor, defaultChoices, monitorNames, ownEntity, refuseTakenSlug, slugOf } from "./store";
import { readUnitId, requireRightIn } from "./unit-of-change";
import { followWatching } from "./watched-entities";

const followedEntity = "given with an operation that is followed";

export const createMonitor: ChangeImplementation = implementChange(monitorBodies.create, create);

/** Creates a monitor. What is wrong is refused before anything is written. */
export async function create(call: ChangeCall, body: z.infer<typeof monitorBodies.create>): Promise<Changed> {
  const checks = new FieldChecks();
  const name = readName(checks, body.name);
  const chosen = readChoices(checks, body, call.now);
  const unitId = readUnitId(checks, body.organizational_unit_id, call);
  if (chosen.operation && !chosen.primary_entity) checks.fail("primary_entity", followedEntity);
  checks.finish();
  await requireRightIn(call, unitId);
  const id = randomUUID();
  await addMonitor(
    call.db,
    call.parts.sealer,
    {
      ...defaultChoices,
      ...monitorDefaults,
      ...chosen,
      id,
      name,
      slug: chosen.slug ?? slugOf({ id, name }),
      organizational_unit_id: unitId,
    },
    call.now,
  );
  // It may have been made in a unit that is not below the one that is acted in.
  const row = await reread({ ...call, scope: { ...call.scope, unitId } }, id);
  return { ...withUrlOnce(call, row), location: `/monitors/${id}` };
}

export const updateMonitor: ChangeImplementation = implementChange(monitorBodies.update, async (call, body) => {
  const { db, now } = call;
  const row = await requireMonitor(call);
  const checks = new FieldChecks();
  const name = body.name === undefined ? row.name : readName(checks, body.name);
  const chosen = readChoices(checks, body, now);
  const isOwn = !chosen.primary_entity && (await readStored(call, row.id)).primary_entity === ownEntity(row);
  if (chosen.operation && isOwn) checks.fail("primary_entity", followedEntity);
  checks.finish();
  if (chosen.slug !== undefined) await refuseTakenSlug(db, row.organizational_unit_id, chosen.slug, row.id);
  const stored = await readStored(call, row.id);
  await db
    .updateTable("monitors")
    .set({
      ...chosen,
      ...monitorNames(name),
      ...entityAfter(stored, chosen, name),
      ...expectationAfter(stored, chosen, now),
    })
    .where("id", "=", row.id)
    .execute();
  await followWatching(db, [{ before: stored, after: await readStored(call, row.id) }]);
  const after = await reread(call, row.id);
  return {
    ...audited(after),
    before: presentMonitorV1(row),
    after: presentMonitorV1(after),
    body: writeMonitorV1(call.parts, after),
  };
});

export const rotateMonitorUrl: ChangeImplementation = implementChange(monitorBodies.rotate, async (call, body) => {
  const { db, now, parts } = call;
  const row = await requireMonitor(call);
  const { url_hash } = await readStored(call, row.id);
  const overlap = (body.overlap_seconds ?? 0) * 1000;
  await db
    .updateTable("monitors")
    .set({
      ...newPingUrl(parts.sealer, row.id),
      previous_url_hash: overlap === 0 ? null : url_hash,
      previous_url_ends_at: overlap === 0 ? null : now + overlap,
    })
    .where("id", "=", row.id)
    .execute();
  return { ...withUrlOnce(call, await reread(call, row.id)), before: presentMonitorV1(row) };
});

export const deleteMonitor: ChangeImplementation = implementChange(z.object({}), async (call): Promise<Changed> => {
  const row = await requireMonitor(call);
  const stored = await readStored(call, row.id);
  await call.db.deleteFrom("monitors").where("id", "=", row.id).execute();
  await followWatching(call.db, [{ before: stored, after: null }]);
  return { ...audited(row), before: presentMonitorV1(row) };
});

/** The monitor that the path names, as the caller has read it. */
async function requireMonitor(call: ChangeCall): Promise<ShownMonitor> {
  const id = canonicalId(variableOf(call.variables, "monitor_id"));
  const row = await findMonitor(call.db, call.scope, id);
  if (!row) throw refuse("itemUnknown", "There is no such monitor, or you may not see it.");
  call.requireMatch(writeMonitorV1(call.parts, row));
  return row;
}

async function reread({ db, scope }: ChangeCall, id: string): Promise<ShownMonitor> {
  const row = await findMonitor(db, scope, id);
  if (!row) throw new Error("A monitor that was just written is not there.");
  return row;
}

function readStored({ db }: ChangeCall, id: string): Promise<Monitor> {
  return db.selectFrom("monitors").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/** Answer when a URL was made. A repeated answer is stored for a day, and does not have the URL. */
function withUrlOnce(call: ChangeCall, row: ShownMonitor): Changed {
  const shown = presentMonitorV1(row);
  return { ...audited(row), after: shown, body: JSON.stringify(shown), once: { ping_url: pingUrlOf(call.parts, row) } };
}

function audited(row: ShownMonitor): Pick<Changed, "object" | "unitId"> {
  return { object: { type: "monitor", id: row.id }, unitId: row.organizational_unit_id };
}

/** A monitor that stands for itself is called what the monitor is called. */
function entityAfter(stored: Monitor, chosen: Choices, name: string): Pick<Monitor, "primary_entity"> {
  if (chosen.primary_entity !== undefined) return { primary_entity: chosen.primary_entity };
  const isOwn = stored.primary_entity === ownEntity(stored);
  return { primary_entity: isOwn ? ownEntity({ id: stored.id, name }) : stored.primary_entity };
}

/** Another schedule, and the end of a pause, start from now. */
function expectationAfter(stored: Monitor, chosen: Choices, now: number): Partial<Monitor> {
  const changed = { ...stored, ...chosen };
  const isOther = changed.schedule !== stored.schedule || isPaused(changed, now) !== isPaused(stored, now);
  const facts = !isOther
    ? changed
    : {
        ...changed,
        ...expectFrom(isPaused(changed, now) ? null : changed.schedule, now),
        missed_in_a_row: 0,
        watched_from_at: now,
      };
  const { missed_in_a_row, watched_from_at, next_expected_at, grace_counts_from_at } = facts;
  return { missed_in_a_row, watched_from_at, next_expected_at, grace_counts_from_at, ...settleState(facts, now) };
}
