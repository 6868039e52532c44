import { randomUUID } from "node:crypto";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { WebhookEvent, WebhookKind } from "@holdfast/api/resources/webhook-words";
import { type Selectable, sql } from "kysely";
import type { Queries } from "../../database/database";
import { takeLock } from "../../database/locks";
import { asListValue, isInList, type ListValue } from "../../database/many-rows";
import { prepareQuery } from "../../database/prepared-query";
import type { WebhookTable } from "../../database/schema";
import { type NamedMonitor, nameMonitors } from "../monitors/named-monitors";
import { compileTaskFilter, type FilteredFields, fieldsOf } from "../tasks/watch/filtered-fields";
import { addDeliveries, type NewDelivery } from "./deliveries/delivery-store";
import { addToGroups, type Grouped } from "./deliveries/group-deliveries";
import { writePayload } from "./payload";
import { readEvents } from "./present";
import { failureEvents, onePerRun, subjectOf, type TaskEvent } from "./webhook-events";

/** A webhook that may have to send something. */
export interface ListeningWebhook {
  id: string;
  kind: WebhookKind;
  events: ReadonlySet<WebhookEvent>;
  /** The units whose tasks it hears of, among those that something happened in. */
  units: ReadonlySet<string>;
  /** Its filter of tasks. */
  matches: (fields: FilteredFields) => boolean;
}

/**
 * Writes down what webhooks have to send, in the transaction in which it happens: both are committed, or neither. Without
 * webhooks it costs one look into an empty table. Programs get every event; what people get is counted together.
 */
export async function queueDeliveries(db: Queries, taskEvents: readonly TaskEvent[], now: number): Promise<void> {
  if (taskEvents.length === 0) return;
  const units = [...new Set(taskEvents.map(({ task }) => task.organizational_unit_id))];
  const listeners = await findListeners(db, units);
  if (listeners.length === 0) return;
  const heard = listeners.flatMap((listener) => {
    const some = taskEvents.filter((one) => isHeard(listener, one));
    return (listener.kind === "standard" ? some : onePerRun(some)).map((one) => ({ listener, one }));
  });
  // Most events are heard by nobody: their names need not be read.
  if (heard.length === 0) return;
  const monitors = await nameMonitors(
    db,
    taskEvents.map(({ task }) => task.monitor_id),
  );
  const names = { units: await findUnitNames(db, units), monitors };
  const write = createWriter(names, now);
  const single: NewDelivery[] = [];
  const grouped: Grouped[] = [];
  for (const { listener, one } of heard) {
    const delivery = {
      id: randomUUID(),
      webhook_id: listener.id,
      event: one.event,
      task_id: one.task.id,
      subject: subjectOf(one.task),
      payload: () => write(one),
    };
    if (listener.kind === "standard") single.push({ ...delivery, event_count: 1, due_at: now });
    else grouped.push(delivery);
  }
  // Deliveries are numbered in the order of events, and counted before they are added.
  await takeLock(db, "deliveries");
  await addDeliveries(db, [...single, ...(await addToGroups(db, grouped, now))], now);
}

function isHeard(listener: ListeningWebhook, { event, task }: TaskEvent): boolean {
  const { units, matches } = listener;
  return isWanted(listener, event) && units.has(task.organizational_unit_id) && matches(fieldsOf(task));
}

/** People who get the messages about failures get the end of these, too. Programs get what they name. */
function isWanted({ kind, events }: ListeningWebhook, event: WebhookEvent): boolean {
  if (events.has(event)) return true;
  if (event !== "entity.good" || kind === "standard") return false;
  return events.has("entity.stale") || failureEvents.some((failure) => events.has(failure));
}

type WebhookOfUnit = Pick<Selectable<WebhookTable>, "id" | "kind" | "events" | "filter"> & { unit_id: string };

const webhooksOf = prepareQuery<{ units: ListValue }, WebhookOfUnit>(
  (slot, db) => sql<WebhookOfUnit>`
    select webhooks.id, kind, events, filter, unit_id
    from webhooks join organizational_unit_paths on ancestor_id = webhooks.organizational_unit_id
    where unit_id ${isInList(db, slot("units"))} and is_enabled = 1 order by webhooks.seq`,
);

/** The webhooks of some units and of all above them. */
export async function findListeners(db: Queries, units: readonly string[]): Promise<ListeningWebhook[]> {
  const rows = await webhooksOf.run(db, { units: asListValue(db, units) });
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((alike) => {
    const [row] = alike;
    if (!row) return [];
    return [
      {
        id: row.id,
        kind: row.kind,
        events: new Set(readEvents(row.events)),
        units: new Set(alike.map(({ unit_id }) => unit_id)),
        matches: compileTaskFilter(row.filter ?? "{}"),
      },
    ];
  });
}

/** The names of some units. */
export async function findUnitNames(db: Queries, units: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom("organizational_units").select(["id", "name"]).where("id", "in", units).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

interface Names {
  units: ReadonlyMap<string, string>;
  monitors: ReadonlyMap<string, NamedMonitor>;
}

/** Writes what happened once for all webhooks that hear of it. */
function createWriter({ units, monitors }: Names, now: number): (taskEvent: TaskEvent) => string {
  const written = new Map<TaskEvent, string>();
  return (taskEvent) => {
    const known = written.get(taskEvent);
    if (known !== undefined) return known;
    const { event, task } = taskEvent;
    const unitId = task.organizational_unit_id;
    const data = {
      monitor: monitors.get(task.monitor_id ?? "") ?? null,
      organizational_unit: { id: unitId, name: units.get(unitId) ?? "" },
    };
    const payload = writePayload({ type: event, timestamp: formatTimestamp(now), data }, task);
    written.set(taskEvent, payload);
    return payload;
  };
}
