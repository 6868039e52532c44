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
import { views } from "./views";
import { webhookDeliveries } from "./webhook-deliveries";
import { webhooks } from "./webhooks";

/** Every resource of the API, with all that its declaration says: the client's types come from it. */
export const declaredResources = [
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
  views,
  caller,
] as const;

/** Every resource of the API, for what treats them all alike. */
export const resources: readonly Resource[] = [...declaredResources];
