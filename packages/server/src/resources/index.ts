import { isReadOperation } from "@holdfast/api/conventions/operation";
import type { declaredResources } from "@holdfast/api/resources/index";
import type { DataVersions } from "../database/database";
import type { Schema } from "../database/schema";
import type { ChangeImplementation } from "../operations/change";
import type { Implementation } from "../operations/read";
import type { ReportImplementation } from "../operations/report";
import { apiTokenResource } from "./api-tokens/resource";
import { auditEventResource } from "./audit-events/resource";
import { callerResource } from "./caller/resource";
import { entityResource } from "./entities/resource";
import { followTasks } from "./follow-tasks";
import { keyResource } from "./keys/resource";
import { pingKeyResource } from "./monitors/ping-keys/resource";
import { monitorResource } from "./monitors/resource";
import { organizationalUnitResource } from "./organizational-units/resource";
import type { ResourceDescription, TableDescription } from "./resource-description";
import { roleResource } from "./roles/resource";
import { tablesOfNone } from "./tables-of-none";
import type { TaskReportParts } from "./tasks/reports/report-tasks";
import { taskResource } from "./tasks/resource";
import { contentsIn, type KnownContents } from "./unit-contents";
import { userResource } from "./users/resource";
import { viewResource } from "./views/resource";
import { webhookDeliveryResource } from "./webhooks/deliveries/resource";
import { webhookResource } from "./webhooks/resource";

/**
 * All resources that can have something in a unit, in the order in which that moves: what may refuse or be referred to comes first.
 * A new resource is added here.
 */
const inUnits = {
  roles: roleResource,
  users: userResource,
  "api-tokens": apiTokenResource,
  keys: keyResource,
  monitors: monitorResource,
  "ping-keys": pingKeyResource,
  tasks: taskResource(followTasks),
  entities: entityResource,
  webhooks: webhookResource,
  "webhook-deliveries": webhookDeliveryResource,
  views: viewResource,
  "audit-events": auditEventResource,
  caller: callerResource,
};

/** Contents of units, beside other units. */
export const unitContents: readonly KnownContents[] = Object.values<ResourceDescription>(inUnits).flatMap(
  ({ tables }) =>
    Object.entries(tables).flatMap(([table, description]) =>
      "inUnit" in description && typeof description.inUnit === "object" ? [contentsIn(table, description.inUnit)] : [],
    ),
);

/** Every resource, by name. Does not compile while one that is declared has no description. */
const described = {
  "organizational-units": organizationalUnitResource(unitContents),
  ...inUnits,
} satisfies { [Declared in (typeof declaredResources)[number] as Declared["name"]]: ResourceDescription<Declared> };

/** Every table, those that are referred to before those that refer to them. Does not compile while one has no description. */
export const tables: { readonly [Table in keyof Schema]: TableDescription<Table> } = {
  ...described["organizational-units"].tables,
  ...described.roles.tables,
  ...described.users.tables,
  ...described["api-tokens"].tables,
  ...described.keys.tables,
  ...described.monitors.tables,
  ...described["ping-keys"].tables,
  ...described.tasks.tables,
  ...described.entities.tables,
  ...described.webhooks.tables,
  ...described["webhook-deliveries"].tables,
  ...described.views.tables,
  ...described["audit-events"].tables,
  ...tablesOfNone,
};

const descriptions = Object.values<ResourceDescription>(described);

/** Implementation of every operation that reads, by operation id. */
export function reads(parts: Pick<TaskReportParts, "taskLogLimit" | "metrics">): Record<string, Implementation> {
  return merge(descriptions.map((one) => one.reads(parts)));
}

/** The domain that each reading changes with, besides rights. */
export const domainOfRead: Readonly<Record<string, keyof DataVersions>> = merge(
  descriptions.map(({ declaration, domain, readingsOfAny = [] }) =>
    Object.fromEntries(
      declaration.versions
        .flatMap(({ operations }) => operations)
        .filter(isReadOperation)
        .map(({ id }) => [id, readingsOfAny.includes(id) ? "any" : domain]),
    ),
  ),
);

/** Implementation of every operation that changes something, by operation id. */
export function changes(): Record<string, ChangeImplementation> {
  return merge(descriptions.map((one) => one.changes));
}

/** Implementation of every operation that takes reports, by operation id. */
export function reports(parts: TaskReportParts): Record<string, ReportImplementation> {
  return merge(descriptions.map((one) => one.reports?.(parts) ?? {}));
}

function merge<Value>(records: readonly Readonly<Record<string, Value>>[]): Record<string, Value> {
  return Object.fromEntries(records.flatMap((record) => Object.entries(record)));
}
