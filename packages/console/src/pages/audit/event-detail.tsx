import { Link } from "@tanstack/react-router";
import { Facts } from "../../components/facts";
import { SafeText } from "../../components/safe-text";
import { TimeText } from "../../components/time-text";
import type { AuditEvent } from "../../data/audit-event";
import { useNamesOf } from "../../data/names";
import { visibleText } from "../../texts/foreign-text";

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Change of an event, and its place in the chain. */
export function EventDetail({ event }: { event: AuditEvent }) {
  const changes = differences(event.before, event.after);
  const names = useNamesOf(changes.flatMap(({ before = "", after = "" }) => `${before} ${after}`.match(uuids) ?? []));
  /** A value with names in place of the ids of roles, units and people. */
  const shown = (value: string) => (
    <bdi dir="auto">{visibleText(value.replace(uuids, (id) => names.get(id) ?? id))}</bdi>
  );
  const actorId = event.actor.user_id ?? event.actor.token_id;
  return (
    <div className="stack-small event-detail">
      {changes.length > 0 && (
        <table className="table" aria-label="Changes">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ name, before, after }) => (
              <tr key={name}>
                <td className="mono wrap-cell">{visibleText(name)}</td>
                <td className="wrap-cell">{before === undefined ? "–" : <del>{shown(before)}</del>}</td>
                <td className="wrap-cell">{after === undefined ? "–" : <ins>{shown(after)}</ins>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="row small">
        {actorId && (
          <Link to="." search={(before: object) => ({ ...before, actor: actorId, page: undefined })}>
            All events of this actor
          </Link>
        )}
        {event.object?.id && (
          <Link to="." search={(before: object) => ({ ...before, object: event.object?.id, page: undefined })}>
            All events of this object
          </Link>
        )}
      </p>
      <Facts
        facts={{
          Number: event.number,
          When: <TimeText at={event.created_timestamp} isFull />,
          Reason: event.reason && <SafeText text={event.reason} />,
          Address: event.actor.address,
          Request: event.request_id && <span className="mono">{event.request_id}</span>,
          Hash: <span className="mono">{event.hash}</span>,
          "Hash before": <span className="mono">{event.previous_hash}</span>,
        }}
      />
    </div>
  );
}

interface Difference {
  name: string;
  before: string | undefined;
  after: string | undefined;
}

/** The fields that differ between two states. */
function differences(before: unknown, after: unknown): Difference[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .map((name) => ({ name, before: old[name], after: now[name] }))
    .filter((one) => one.before !== one.after);
}

function fieldsOf(value: unknown): Record<string, string | undefined> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, typeof field === "string" ? field : JSON.stringify(field)]),
  );
}
