import type { Client } from "@holdfast/client";
import { type Command, Option } from "commander";
import { pathOf } from "./noun";
import { UsageError } from "./usage-error";

/** Makes a part of a body or of a filter of what was given. */
type Fill = (given: unknown, client: Client) => object | Promise<object>;

/** An option that fills a field of a body or of a filter. Messages of the service about that field name the option. */
export class FieldOption extends Option {
  readonly field: string;
  readonly fill: Fill;

  constructor(flags: string, text: string, field: string, fill: Fill) {
    super(flags, text);
    this.field = field;
    this.fill = fill;
  }
}

/** The options of a command that fill fields. */
export function fieldOptions(command: Command): FieldOption[] {
  return command.options.filter((option) => option instanceof FieldOption);
}

/** All that was given with options for fields: a body, or a filter. */
export async function filledFields(command: Command, client: Client): Promise<Record<string, unknown>> {
  const filled: Record<string, unknown> = {};
  for (const option of fieldOptions(command)) {
    if (!isGiven(command, option)) continue;
    const part = await option.fill(command.getOptionValue(option.attributeName()), client);
    for (const [field, value] of Object.entries(part)) {
      filled[field] = joined(filled[field], value);
    }
  }
  return filled;
}

/** Of --retire and --no-retire, which share a value, only the one that was given fills the field. */
function isGiven(command: Command, option: Option): boolean {
  const name = option.attributeName();
  const source = command.getOptionValueSource(name);
  return source !== undefined && source !== "default" && option.negate === (command.getOptionValue(name) === false);
}

/** Of a field that several options fill. */
function joined(before: unknown, value: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value];
  return isPlain(before) && isPlain(value) ? { ...before, ...value } : value;
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Number of options that a message names; if there are more, it leads to the help. */
const maxNamed = 6;

/** Refuses a change of nothing, before anything is asked. */
export function requireField(command: Command): void {
  const options = fieldOptions(command);
  if (options.some((option) => isGiven(command, option))) return;
  const names = options.map(({ long }) => long);
  const choice = [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" or ");
  throw new UsageError(
    `Name what is to change${names.length > maxNamed ? `. See: ${pathOf(command)} --help` : `: ${choice}.`}`,
  );
}
