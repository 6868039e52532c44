import { getLink } from "@holdfast/api/conventions/hal";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import { type MonitorV1, monitorV1 } from "@holdfast/api/resources/monitors";
import type { OperationParts } from "../../operations/operation-parts";
import type { MonitorRow, ShownMonitor } from "./list-monitors";
import { pingUrlPurpose } from "./ping-url";
import { readOutcomes } from "./state";

/** A monitor as version 1 shows it to everyone who may read it: without its ping URL. */
export function presentMonitorV1(row: MonitorRow): Omit<MonitorV1, "ping_url"> {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    organizational_unit_id: row.organizational_unit_id,
    category: monitorV1.shape.category.parse(row.category),
    type: row.type,
    primary_entity: JSON.parse(row.primary_entity),
    operation: row.operation,
    schedule: row.schedule === null ? null : JSON.parse(row.schedule),
    grace_seconds: row.grace_seconds,
    run_limit_seconds: row.run_limit_seconds,
    body_rules: row.body_rules === null ? null : JSON.parse(row.body_rules),
    paused_until: moment(row.paused_until),
    state: row.state,
    is_running: row.open_runs > 0,
    next_expected_timestamp: moment(row.next_expected_at),
    last_ping_timestamp: moment(row.last_ping_at),
    last_task_id: row.last_task_id,
    missed_in_a_row: row.missed_in_a_row,
    last_unwatched_timestamp: moment(row.last_unwatched_at),
    recent_outcomes: readOutcomes(row),
    created_timestamp: formatTimestamp(row.created_at),
    _links: { self: getLink(`/monitors/${row.id}`) },
  };
}

/** The URL that pings of a monitor go to. */
export function pingUrlOf(parts: Pick<OperationParts, "sealer" | "baseUrl">, row: MonitorRow): string {
  const uuid = parts.sealer.open(row.sealed_url, pingUrlPurpose(row.id));
  if (uuid === undefined) throw new Error(`The ping URL of the monitor ${row.id} cannot be opened.`);
  return `${parts.baseUrl}/ping/${uuid}`;
}

/** A monitor as a caller reads it: with its ping URL for those who may change it. */
export function writeMonitorV1(parts: Pick<OperationParts, "sealer" | "baseUrl">, row: ShownMonitor): string {
  const shown = presentMonitorV1(row);
  return JSON.stringify(row.showsUrl ? { ...shown, ping_url: pingUrlOf(parts, row) } : shown);
}

function moment(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatTimestamp(milliseconds);
}
