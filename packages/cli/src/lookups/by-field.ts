import type { Client } from "@holdfast/client";
import { findMonitorId } from "./monitors";
import { findRoleId } from "./roles";
import { findUnitId } from "./units";
import { findUserId } from "./users";
import { findWebhookId } from "./webhooks";

type Lookup = (client: Client, given: string) => Promise<string>;

/** Finds what a field refers to by its name: people do not write ids. */
const byField: Readonly<Record<string, Lookup>> = {
  monitor_id: findMonitorId,
  organizational_unit_id: findUnitId,
  parent_id: findUnitId,
  recipient_user_ids: findUserId,
  role_id: (client, given) => findRoleId(client, given, undefined),
  user_id: findUserId,
  webhook_id: findWebhookId,
};

/** The value of a field, with ids in place of names. */
export async function withIds(field: string, given: unknown, client: Client): Promise<unknown> {
  const find = byField[field];
  if (!find || given === null) return given;
  if (!Array.isArray(given)) return find(client, String(given));
  const ids: string[] = [];
  for (const one of given) ids.push(await find(client, String(one)));
  return ids;
}
