import { Link } from "@tanstack/react-router";
import { TimeText } from "../../components/time-text";
import { Untrusted } from "../../components/untrusted";
import type { AuditEvent } from "../../data/audit-event";
import { visibleText } from "../../texts/foreign-text";

/** Change of an event, and its place in the chain. */
export function EventDetail({ event }: { event: AuditEvent }) {
  const changes = differences(event.before, event.after);
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
                <td className="wrap-cell">{before === undefined ? "–" : <del>{visibleText(before)}</del>}</td>
                <td className="wrap-cell">{after === undefined ? "–" : <ins>{visibleText(after)}</ins>}</td>
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
      <dl className="facts">
        <dt>Number</dt>
        <dd>{event.number}</dd>
        <dt>When</dt>
        <dd>
          <TimeText at={event.created_timestamp} isFull />
        </dd>
        {event.reason && (
          <>
            <dt>Reason</dt>
            <dd>
              <Untrusted text={event.reason} />
            </dd>
          </>
        )}
        {event.actor.address && (
          <>
            <dt>Address</dt>
            <dd>{event.actor.address}</dd>
          </>
        )}
        {event.request_id && (
          <>
            <dt>Request</dt>
            <dd className="mono">{event.request_id}</dd>
          </>
        )}
        <dt>Hash</dt>
        <dd className="mono">{event.hash}</dd>
        <dt>Hash before</dt>
        <dd className="mono">{event.previous_hash}</dd>
      </dl>
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
