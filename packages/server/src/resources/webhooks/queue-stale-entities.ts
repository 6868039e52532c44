import { randomUUID } from "node:crypto";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { Queries } from "../../database/database";
import type { Operation } from "../../database/protection/operations";
import type { StaleEntity } from "../entities/mark-stale";
import { presentEntityV1 } from "../entities/present";
import type { FilteredFields } from "../tasks/watch/filtered-fields";
import { addDeliveries, type NewDelivery } from "./deliveries/delivery-store";
import { addToGroups, type Grouped } from "./deliveries/group-deliveries";
import { stalePayload } from "./payload";
import { findListeners, findUnitNames } from "./queue-deliveries";

const event = "entity.stale";

/** Writes down what webhooks have to send about items that have turned stale, in the transaction that marks them. */
export async function queueStaleEntities(db: Queries, stale: readonly StaleEntity[], now: number): Promise<void> {
  if (stale.length === 0) return;
  const units = [...new Set(stale.map(({ row }) => row.organizational_unit_id))];
  const listeners = (await findListeners(db, units)).filter(({ events }) => events.has(event));
  if (listeners.length === 0) return;
  const names = await findUnitNames(db, units);
  const single: NewDelivery[] = [];
  const grouped: Grouped[] = [];
  for (const listener of listeners) {
    const heard = stale.filter(
      (one) =>
        listener.units.has(one.row.organizational_unit_id) &&
        one.operations.some((operation) => listener.matches(fieldsOfOperation(one, operation))),
    );
    for (const { row } of heard) {
      const unit = { id: row.organizational_unit_id, name: names.get(row.organizational_unit_id) ?? "" };
      const delivery = {
        id: randomUUID(),
        webhook_id: listener.id,
        event,
        task_id: null,
        subject: `entity ${row.organizational_unit_id} ${row.entity_hash}`,
        payload: () => stalePayload(presentEntityV1(row), formatTimestamp(now), unit),
      };
      if (listener.kind === "standard") single.push({ ...delivery, event_count: 1, due_at: now });
      else grouped.push(delivery);
    }
  }
  if (single.length + grouped.length === 0) return;
  await addDeliveries(db, [...single, ...(await addToGroups(db, grouped, now))], now);
}

/** Fields that a filter on tasks compares: a run that has not come has no status, no outcome and no times. */
function fieldsOfOperation({ row }: StaleEntity, { operation, type, lastRun }: Operation): FilteredFields {
  return {
    category: lastRun?.category ?? null,
    type,
    organizational_unit_id: row.organizational_unit_id,
    operation,
    "primary_entity.id": row.entity_id,
    "primary_entity.value": row.value,
  };
}
