import type { Resource } from "../conventions/operation";
import { apiTokens } from "./api-tokens";
import { auditEvents } from "./audit-events";
import { caller } from "./caller";
import { entities } from "./entities";
import { keys } from "./keys";
import { monitors } from "./monitors";
import { organizationalUnits } from "./organizational-units";
import { pingKeys } from "./ping-keys";
import { roles } from "./roles";
import { tasks } from "./tasks";
import { users } from "./users";
import { webhookDeliveries } from "./webhook-deliveries";
import { webhooks } from "./webhooks";

/** Every resource of the API. */
export const resources: readonly Resource[] = [
  users,
  tasks,
  monitors,
  pingKeys,
  entities,
  organizationalUnits,
  roles,
  apiTokens,
  keys,
  auditEvents,
  webhooks,
  webhookDeliveries,
  caller,
];
