import { randomUUID } from "node:crypto";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { Queries } from "../../database/database";
import type { OwnAddresses } from "../../operations/operation-parts";
import {
  daysLeft,
  dueNotice,
  type ExpiringToken,
  findExpiringTokens,
  noteNotices,
} from "../api-tokens/expiring-tokens";
import { addDeliveries, type NewDelivery } from "./deliveries/delivery-store";
import { addToGroups } from "./deliveries/group-deliveries";
import { cutText, type Payload } from "./payload";
import { readEvents } from "./present";

const event = "token.expiring";
const maxNameLength = 200;

/** Finds the tokens whose next notice is due. */
export async function findDueTokens(db: Queries, addresses: OwnAddresses, now: number): Promise<ExpiringToken[]> {
  return (await findExpiringTokens(db, addresses, now)).filter((token) => dueNotice(token, now) !== undefined);
}

/**
 * Announces the tokens that expire soon, each once per notice: that it was given is committed together with the messages, so no
 * other process and no restart gives it again. Returns what was announced.
 */
export async function announceExpiringTokens(
  db: Queries,
  addresses: OwnAddresses,
  now: number,
): Promise<ExpiringToken[]> {
  const tokens = await findDueTokens(db, addresses, now);
  for (const token of tokens) await queueMessages(db, token, now);
  for (const [days, alike] of Map.groupBy(tokens, (token) => dueNotice(token, now) ?? 0)) {
    await noteNotices(
      db,
      days,
      alike.map(({ id }) => id),
    );
  }
  return tokens;
}

/** Queues the messages about one token for the webhooks of its unit and of those above. Filters are about tasks, so none applies. */
async function queueMessages(db: Queries, token: ExpiringToken, now: number): Promise<void> {
  const webhooks = await db
    .selectFrom("webhooks")
    .innerJoin("organizational_unit_paths", "ancestor_id", "webhooks.organizational_unit_id")
    .select(["webhooks.id", "webhooks.kind", "webhooks.events"])
    .where("unit_id", "=", token.organizational_unit_id)
    .where("is_enabled", "=", 1)
    .orderBy("webhooks.seq")
    .execute();
  const listening = webhooks.filter(({ events }) => readEvents(events).includes(event));
  if (listening.length === 0) return;
  const payload = await writeTokenPayload(db, token, now);
  const messages = listening.map(({ id, kind }) => ({
    kind,
    delivery: {
      id: randomUUID(),
      webhook_id: id,
      event,
      task_id: null,
      subject: `token ${token.id}`,
      payload: () => payload,
    },
  }));
  const single: NewDelivery[] = messages
    .filter(({ kind }) => kind === "standard")
    .map(({ delivery }) => ({ ...delivery, event_count: 1, due_at: now }));
  const grouped = messages.filter(({ kind }) => kind !== "standard").map(({ delivery }) => delivery);
  await addDeliveries(db, [...single, ...(await addToGroups(db, grouped, now))], now);
}

async function writeTokenPayload(db: Queries, token: ExpiringToken, now: number): Promise<string> {
  const unit = await db
    .selectFrom("organizational_units")
    .select(["id", "name"])
    .where("id", "=", token.organizational_unit_id)
    .executeTakeFirstOrThrow();
  const { id, kind, user_id, role_id, expires_at, last_used_at } = token;
  const payload: Payload = {
    type: event,
    timestamp: formatTimestamp(now),
    data: {
      task: null,
      monitor: null,
      organizational_unit: unit,
      token: {
        id,
        name: cutText(token.name, maxNameLength),
        kind,
        user_id,
        role_id,
        expires_timestamp: formatTimestamp(expires_at),
        last_used_timestamp: last_used_at === null ? null : formatTimestamp(last_used_at),
        days_left: daysLeft(token, now),
      },
    },
  };
  return JSON.stringify(payload);
}
