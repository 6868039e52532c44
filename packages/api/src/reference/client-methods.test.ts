import { expect, test } from "bun:test";
import { methodName } from "./client-methods";

test.each([
  ["roles", "list-roles", "list", "list"],
  ["roles", "read-role", "read", "read"],
  ["caller", "read-caller", "read", "read"],
  ["entities", "read-entity", "read", "read"],
  ["entities", "list-entity-counts", "list", "counts"],
  ["tasks", "watch-tasks", "watch", "watch"],
  ["tasks", "read-task-log", "read", "readLog"],
  ["tasks", "report-tasks", "report", "report"],
  ["monitors", "create-monitors", "write", "createAll"],
  ["monitors", "preview-schedule", "read", "previewSchedule"],
  ["webhook-deliveries", "retry-webhook-delivery", "write", "retry"],
  ["webhooks", "rotate-webhook-secret", "write", "rotateSecret"],
] as const)("of %s, %s is called by %s as %s", (resource, id, kind, name) => {
  expect(methodName(resource, { id, kind })).toBe(name);
});
