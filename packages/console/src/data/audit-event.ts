import type { ItemOf } from "@holdfast/client";

export type AuditEvent = ItemOf<"audit-events", "read-audit-event">;

/** Who acted, as people call them. */
export function actorText({ kind, name, user_id, token_id }: AuditEvent["actor"]): string {
  const who = name ?? user_id ?? token_id;
  if (who) return who;
  return { command_line: "command line", system: "Holdfast", nobody: "not signed in" }[kind] ?? kind;
}

/** Kind of the object of an event: `organizational unit`, `API token`. */
export function objectKind({ object }: AuditEvent): string {
  return object ? object.type.replaceAll("-", " ").replace(/^api /, "API ") : "–";
}

/** Which one it was done to. */
export function objectName({ object }: AuditEvent): string {
  return object?.name ?? object?.id ?? "";
}
