import type { ChangeImplementation } from "../operations/change";
import type { Implementation } from "../operations/reading";
import type { ReportImplementation } from "../operations/report";
import { apiTokenChanges, apiTokenReadings } from "./api-tokens/operations";
import { auditEventReadings } from "./audit-events/operations";
import { callerReadings } from "./caller/operations";
import { entityChanges, entityReadings } from "./entities/operations";
import { followTasks } from "./follow-tasks";
import { keyChanges, keyReadings } from "./keys/operations";
import { monitorChanges, monitorReadings } from "./monitors/operations";
import { pingKeyChanges, pingKeyReadings } from "./monitors/ping-keys/operations";
import { organizationalUnitChanges, organizationalUnitReadings } from "./organizational-units/operations";
import { roleChanges, roleReadings } from "./roles/operations";
import { taskChanges, taskReadings } from "./tasks/operations";
import { type TaskReportParts, taskReports } from "./tasks/reports/report-tasks";
import { userChanges, userReadings } from "./users/operations";
import { webhookChanges, webhookReadings } from "./webhooks/operations";

/** Implementation of every operation that reads, by operation id. */
export function readings(parts: Pick<TaskReportParts, "taskLogLimit" | "metrics">): Record<string, Implementation> {
  return {
    ...userReadings,
    ...taskReadings(parts),
    ...monitorReadings,
    ...pingKeyReadings,
    ...entityReadings,
    ...organizationalUnitReadings,
    ...roleReadings,
    ...apiTokenReadings,
    ...keyReadings,
    ...auditEventReadings,
    ...webhookReadings,
    ...callerReadings,
  };
}

/** Readings that change only with one domain, and with rights. All others change with any commit, as far as is known. */
export const domainOfReading: Readonly<Record<string, "tasks" | "entities">> = {
  "list-tasks": "tasks",
  "list-task-counts": "tasks",
  "read-task": "tasks",
  "list-entities": "entities",
  "list-entity-counts": "entities",
  "read-entity": "entities",
};

/** Implementation of every operation that changes something, by operation id. */
export function changes(): Record<string, ChangeImplementation> {
  return {
    ...userChanges,
    ...organizationalUnitChanges,
    ...roleChanges,
    ...apiTokenChanges,
    ...keyChanges,
    ...taskChanges(followTasks),
    ...monitorChanges,
    ...pingKeyChanges,
    ...entityChanges,
    ...webhookChanges,
  };
}

/** Implementation of every operation that takes reports, by operation id. */
export function reports(parts: TaskReportParts): Record<string, ReportImplementation> {
  return taskReports(parts, followTasks);
}
