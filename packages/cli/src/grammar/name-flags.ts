import { HoldfastError } from "@holdfast/client";
import type { Command } from "commander";

/** The options that fill a field of the API if their names differ, the likeliest first. */
const optionsOfFields: Record<string, readonly string[]> = {
  access_control_configuration: ["--role", "--unit"],
  authorization: ["--authorization-file"],
  created_timestamp: ["--since", "--until"],
  end_timestamp: ["--since", "--until"],
  "error.code": ["--error-code"],
  expires_timestamp: ["--expires"],
  full_name: ["--name"],
  grace_seconds: ["--grace"],
  is_retired: ["--retire"],
  monitor_id: ["--monitor"],
  move_to: ["--move-to"],
  muted_until: ["--mute"],
  name: ["--name", "--search"],
  organizational_unit_id: ["--unit"],
  overlap_seconds: ["--overlap"],
  parent_id: ["--parent"],
  paused_until: ["--until"],
  primary_entity: ["--entity", "--search"],
  recipient_user_ids: ["--recipients"],
  role_id: ["--role"],
  run_limit_seconds: ["--run-limit"],
  "schedule.cron": ["--cron"],
  "schedule.period_seconds": ["--period"],
  "schedule.time_zone": ["--time-zone"],
  schedule: ["--cron", "--period"],
  url: ["--target"],
};

/** A field or parameter as messages of the service name it. */
const named = /The (?:field|filter on) "([\w.]+)"|The \$\w+ of "([\w.]+)"|The parameter (\w+)\b/g;

/** One thing that the service refuses, and the JSON pointer or parameter that it is about. */
interface Refused {
  message: string;
  field?: string | undefined;
}

/**
 * A refusal of the service that names the flags of the command instead of the fields of the API, which people who type
 * commands never see. Those who use `holdfast api` do, so that it is left alone.
 */
export function nameFlags(command: Command, error: HoldfastError): HoldfastError {
  const { status, requestId, retryAfter, forbidden } = error;
  const faults = error.faults.map((fault) => ({
    ...fault,
    error_message: inFlags(command, { message: fault.error_message, field: fault.field }),
  }));
  return new HoldfastError({ status, faults, requestId, retryAfter, forbidden, cause: error });
}

/** Rewrites a message about a field to name the flag that fills it. */
export function inFlags(command: Command, { message, field = "" }: Refused): string {
  if (!command.parent?.parent) return message;
  const renamed = message
    .replace(
      named,
      (whole, ...fields: (string | undefined)[]) =>
        flagOf(command, fields.slice(0, 3).find((one) => one !== undefined) ?? "") ?? whole,
    )
    // A message may mention a second field, such as the one that is needed instead.
    .replace(/\b[a-z]+(_[a-z]+)+\b/g, (word) =>
      Object.hasOwn(optionsOfFields, word) ? (flagOf(command, word) ?? word) : word,
    );
  // Messages about an expression or a time zone do not name their field.
  const flag = field.startsWith("/schedule/") ? flagOf(command, field.slice(1).replaceAll("/", ".")) : undefined;
  return flag === undefined || renamed.includes(flag) ? renamed : `${flag}: ${renamed}`;
}

function flagOf(command: Command, field: string): string | undefined {
  const [first = ""] = field.split(".");
  const candidates = optionsOfFields[field] ?? optionsOfFields[first] ?? [`--${first.replaceAll("_", "-")}`];
  const flag = candidates.find((candidate) => command.options.some(({ long }) => long === candidate));
  return flag !== undefined && field.endsWith("_seconds") ? `${flag}, in seconds,` : flag;
}
