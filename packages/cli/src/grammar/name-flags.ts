import { HoldfastError } from "@holdfast/client";
import type { Command } from "commander";
import { fieldOptions } from "./field-option";

/** The options of verbs that are more than a call, by the field of the API that they are for; the likeliest first. */
const optionsOfFields: Record<string, readonly string[]> = {
  access_control_configuration: ["--role", "--unit"],
  created_timestamp: ["--since", "--until"],
  "error.code": ["--error-code"],
  expires_timestamp: ["--expires"],
  full_name: ["--name"],
  monitor_id: ["--monitor"],
  move_to: ["--move-to"],
  organizational_unit_id: ["--unit"],
  overlap_seconds: ["--overlap"],
  primary_entity: ["--entity", "--search"],
  role_id: ["--role"],
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
    .replace(/\b[a-z]+(_[a-z]+)+\b/g, (word) => (isField(command, word) && flagOf(command, word)) || word);
  // Messages about an expression or a time zone do not name their field.
  const flag = field.startsWith("/schedule/") ? flagOf(command, field.slice(1).replaceAll("/", ".")) : undefined;
  return flag === undefined || renamed.includes(flag) ? renamed : `${flag}: ${renamed}`;
}

/** A word with an underscore can also be a setting, which has an option of its own. */
function isField(command: Command, word: string): boolean {
  return Object.hasOwn(optionsOfFields, word) || fieldOptions(command).some(({ field }) => field === word);
}

function flagOf(command: Command, field: string): string | undefined {
  const [first = ""] = field.split(".");
  const own = fieldOptions(command).filter(({ negate }) => !negate);
  const declared =
    own.find((option) => option.field === field) ??
    own.find((option) => option.field === first || option.field.startsWith(`${field}.`));
  const candidates = optionsOfFields[field] ?? optionsOfFields[first] ?? [`--${first.replaceAll("_", "-")}`];
  const flag = declared?.long ?? candidates.find((candidate) => command.options.some(({ long }) => long === candidate));
  return flag !== undefined && field.endsWith("_seconds") ? `${flag}, in seconds,` : flag;
}
