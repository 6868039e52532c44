import { expect } from "bun:test";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import { type Answered, root } from "../harness";
import type { ReportingPlane } from "./reporting-plane";

/** A timestamp, so many milliseconds from now. */
export function at({ clock }: Pick<ReportingPlane, "clock">, fromNow = 0): string {
  return formatTimestamp(clock.now + fromNow);
}

/** A task as it is shown that has just begun; some of it is otherwise. */
export function taskShown(plane: Pick<ReportingPlane, "clock">, id: string, otherwise: object = {}): object {
  const now = at(plane);
  return {
    id,
    category: "backup",
    status: "in_progress",
    progress_percentage: 0,
    created_timestamp: now,
    type: "restic_backup",
    start_timestamp: now,
    end_timestamp: null,
    organizational_unit_id: root,
    primary_entity: null,
    outcome: null,
    error: null,
    is_abortable: false,
    last_heartbeat_timestamp: now,
    last_progress_timestamp: null,
    _links: { self: { href: `/tasks/${id}`, templated: false, type: "get" } },
    ...otherwise,
  };
}

/** The lease of a task that has just begun; some of it is otherwise. */
export function leaseShown(otherwise: object = {}): object {
  return {
    attempt: 1,
    sequence: 0,
    expires_in_seconds: 180,
    next_report_seconds: expect.any(Number),
    abort_requested: false,
    abort_reason: null,
    log_size: 0,
    ...otherwise,
  };
}

/** Refusal: the status, and the code and the field of each error. */
export function refusal({ status, body }: Pick<Answered, "status" | "body">): unknown[] {
  const errors: { error_code: number; field?: string }[] = body.errors ?? [];
  const told = errors.flatMap(({ error_code, field }) => [error_code, field ?? []].flat());
  return [status, ...told];
}

/** Error of a report. */
export const someError = { code: "repository_locked", message: "It is locked.", remedy: "Wait." };

/** A UUID that ends with a number. */
export function uuid(number: number): string {
  return `22222222-2222-4222-8222-${String(number).padStart(12, "0")}`;
}
