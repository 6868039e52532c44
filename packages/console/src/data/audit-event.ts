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

/** Name of the object: the one that it had then, the one that it has now, or its id. */
export function objectName({ object, before, after }: AuditEvent, names: ReadonlyMap<string, string>): string {
  const id = object?.id ?? "";
  return object?.name ?? itemIn(after) ?? itemIn(before) ?? names.get(id) ?? id;
}

/** The name of a protected item as an event has it. */
function itemIn(state: unknown): string | undefined {
  if (typeof state !== "object" || state === null || !("primary_entity" in state)) return undefined;
  const { primary_entity: item } = state;
  if (typeof item !== "object" || item === null || !("value" in item)) return undefined;
  return typeof item.value === "string" ? item.value : undefined;
}
