import type { ItemOf } from "@holdfast/client";
import type { FactNames } from "../../grammar/show-verb";
import { type Fact, factsForPeople, moment, some } from "../../output/facts";

export type AuditEvent = ItemOf<"audit-events", "read-audit-event">;

/** Facts about an audit event, the most important first. */
export async function auditFacts(event: AuditEvent, names: FactNames): Promise<Fact[]> {
  const { actor, object, count } = event;
  const times = count > 1 ? `, ${count} times` : "";
  const token = actor.token_id === null || actor.token_id === actorOf(event) ? undefined : actor.token_id;
  return [
    ["When", moment(event.created_timestamp)],
    ["Who", actorOf(event).replaceAll("_", " ")],
    ...some("From", actor.address),
    ...some("With the token", token),
    ["What", event.operation],
    ...some("To what", object === null ? undefined : objectOf(event)),
    ...some("Its id", object?.id),
    ["Result", `${event.result}${times}`, event.result === "refused" ? "warning" : undefined],
    ...some("Reason", event.reason),
    ...some("Before", lines(event.before)),
    ...some("After", lines(event.after)),
    ["Unit", event.organizational_unit_id === null ? "-" : await names.unit(event.organizational_unit_id)],
    ...some("Request", event.request_id),
    ["Number", String(event.number)],
    ["Hash", event.hash],
    ["Hash before it", event.previous_hash],
    ["Id", event.id],
  ];
}

function lines(state: unknown): string {
  return factsForPeople(typeof state === "object" && state !== null ? state : {})
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

export function actorOf({ actor }: AuditEvent): string {
  return actor.name ?? actor.user_id ?? actor.token_id ?? actor.kind;
}

export function objectOf({ object }: AuditEvent): string {
  return object === null ? "-" : `${object.type} ${object.name ?? object.id ?? ""}`.trim();
}
