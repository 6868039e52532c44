import type { Resource } from "../conventions/operation";
import { apiTokens } from "./api-tokens";
import { auditEvents } from "./audit-events";
import { caller } from "./caller";
import { keys } from "./keys";
import { organizationalUnits } from "./organizational-units";
import { roles } from "./roles";
import { tasks } from "./tasks";
import { users } from "./users";
import { webhookDeliveries } from "./webhook-deliveries";
import { webhooks } from "./webhooks";

/** Every resource of the API. */
export const resources: readonly Resource[] = [
  users,
  tasks,
  organizationalUnits,
  roles,
  apiTokens,
  keys,
  auditEvents,
  webhooks,
  webhookDeliveries,
  caller,
];
