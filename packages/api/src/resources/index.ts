import type { Resource } from "../conventions/operation";
import { apiTokens } from "./api-tokens";
import { auditEvents } from "./audit-events";
import { caller } from "./caller";
import { entities } from "./entities";
import { keys } from "./keys";
import { organizationalUnits } from "./organizational-units";
import { roles } from "./roles";
import { tasks } from "./tasks";
import { users } from "./users";

/** Every resource of the API. */
export const resources: readonly Resource[] = [
  users,
  tasks,
  entities,
  organizationalUnits,
  roles,
  apiTokens,
  keys,
  auditEvents,
  caller,
];
