import { textLimits } from "@holdfast/api/conventions/text-limits";
import type { FieldChecks } from "@holdfast/api/conventions/texts";
import { parseTimestamp } from "@holdfast/api/conventions/timestamp";
import type { MonitorV1, monitorBodies } from "@holdfast/api/resources/monitors";
import type { z } from "zod";
import { parseSchedule } from "./schedule/schedule";
import type { Monitor } from "./state";

type Body = Omit<z.infer<typeof monitorBodies.update>, "name">;

/** Chosen fields of a monitor, as they are stored. Fields that were not sent are missing. */
export type Choices = Partial<
  Pick<
    Monitor,
    | "slug"
    | "category"
    | "type"
    | "primary_entity"
    | "operation"
    | "schedule"
    | "grace_seconds"
    | "run_limit_seconds"
    | "body_rules"
    | "paused_until"
  >
>;

/** Reads the name of a monitor. */
export function readName(checks: FieldChecks, name: string): string {
  return checks.line("name", name, textLimits.name);
}

/** Checks what the declaration of a monitor cannot say, and brings it into the form in which it is stored. */
export function readChoices(checks: FieldChecks, body: Body, now: number): Choices {
  const { slug, category, grace_seconds, run_limit_seconds } = body;
  return present({
    slug,
    category,
    grace_seconds,
    run_limit_seconds,
    type: body.type === undefined ? undefined : checks.line("type", body.type, textLimits.taskType),
    primary_entity: body.primary_entity && readEntity(checks, body.primary_entity),
    operation:
      typeof body.operation === "string"
        ? checks.line("operation", body.operation, textLimits.operation)
        : body.operation,
    schedule: body.schedule && readSchedule(checks, body.schedule),
    body_rules: body.body_rules && readRules(body.body_rules),
    paused_until: typeof body.paused_until === "string" ? readPause(checks, body.paused_until, now) : body.paused_until,
  });
}

function present(choices: { [Name in keyof Choices]: Choices[Name] | undefined }): Choices {
  return Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== undefined));
}

function readEntity(checks: FieldChecks, { id, type, value }: NonNullable<Body["primary_entity"]>): string {
  const line = (field: string, text: string, maxLength: number) =>
    checks.line(["primary_entity", field], text, maxLength);
  const name = line("value", value, textLimits.entity);
  return JSON.stringify({
    id: id === undefined ? name : line("id", id, textLimits.entity),
    type: line("type", type, textLimits.entityType),
    value: name,
  } satisfies MonitorV1["primary_entity"]);
}

/** A schedule is a cron expression in a time zone, or a period. */
function readSchedule(checks: FieldChecks, given: NonNullable<Body["schedule"]>): string {
  const { cron, time_zone, period_seconds } = given;
  if ((cron === undefined) === (period_seconds === undefined)) {
    checks.fail("schedule", "an object with either cron, and time_zone if it is not UTC, or period_seconds");
    return "";
  }
  if (cron === undefined) {
    if (time_zone !== undefined) checks.fail(["schedule", "time_zone"], "left out where there is no cron");
    return JSON.stringify({ period_seconds });
  }
  const schedule = { cron: cron.trim(), time_zone: time_zone ?? "UTC" };
  const parsed = parseSchedule(schedule);
  if ("reason" in parsed) checks.refuse(["schedule", parsed.field], parsed.reason);
  return JSON.stringify(schedule);
}

function readRules({ failure = [], warning = [] }: NonNullable<Body["body_rules"]>): string | null {
  if (failure.length === 0 && warning.length === 0) return null;
  return JSON.stringify({ failure, warning } satisfies MonitorV1["body_rules"]);
}

function readPause(checks: FieldChecks, text: string, now: number): number | null {
  const until = parseTimestamp(text)?.milliseconds;
  if (until === undefined || until <= now) {
    checks.fail("paused_until", "a timestamp in the future, such as 2026-11-01T02:00:00Z, or null");
    return null;
  }
  return until;
}
