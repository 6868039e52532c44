import type { Client } from "@holdfast/client";
import { withIds } from "../lookups/by-field";
import {
  parseChoice,
  parseDuration,
  parseFuture,
  parseJson,
  parseName,
  parsePast,
  parseWhole,
  parseWords,
} from "./argument-parsers";
import type { DeclaredField, DeclaredFilter } from "./declared-resource";
import { FieldOption } from "./field-option";

/** An option for a field, as far as it differs from what the declaration of the field gives. */
export interface FieldWords {
  /** The option and what follows it. */
  flags?: string;
  /** Its description; {words} are all that the field can be. */
  text?: string;
  /** Description of the option with --no- that sets the field to null, or to false. */
  no?: string;
  parse?: (text: string) => unknown;
  /** Turns what was parsed into the value of the field. */
  value?: (given: unknown, client: Client) => unknown;
}

/** Options for fields, in the order in which help shows them: a description, or more. A field can have several. */
export type NamedFields<Field extends string = string> = {
  readonly [Name in Field | `${Field}.${string}`]?: FieldWords | string | readonly FieldWords[];
};

type Kind = Pick<FieldWords, "parse"> & { after: string };

/** The options that fill the fields of a body: those that are named, or all. */
export function bodyOptions(fields: Readonly<Record<string, DeclaredField>>, named?: NamedFields): FieldOption[] {
  return eachOption(named ?? inOwnWords(fields), (field, words) => {
    const declared = fields[field] ?? { kind: "text", text: "" };
    const fill = (value: unknown) => inPlace(field.split("."), value);
    const option = optionFor(field, declared, words, bodyKind(field, declared), fill);
    option.makeOptionMandatory(declared.isRequired === true);
    const isFlag = declared.kind === "flag";
    const no =
      words.no ??
      (!named && (isFlag || declared.isNullable) ? `Without ${flagName(field).replaceAll("-", " ")}.` : undefined);
    if (no === undefined) return [option];
    return [option, new FieldOption(`--no-${option.name()}`, no, field, () => fill(isFlag ? false : null))];
  });
}

/** A value inside the objects that a path names. */
function inPlace([first = "", ...rest]: readonly string[], value: unknown): object {
  return { [first]: rest.length === 0 ? value : inPlace(rest, value) };
}

/** The options that filter a list: those that are named, or all that need no id and no moment. A name is searched. */
export function filterOptions(fields: Readonly<Record<string, DeclaredFilter>>, named?: NamedFields): FieldOption[] {
  const plain = Object.entries(fields).filter(([, { kind }]) => kind !== "id" && kind !== "timestamp");
  return eachOption(named ?? inOwnWords(Object.fromEntries(plain)), (field, words) => {
    const declared = fields[field] ?? { kind: "word", text: "" };
    const option = (own: FieldWords, operator: string) =>
      optionFor(field, declared, own, filterKind(declared), (value) => ({ [field]: comparison(operator, value) }));
    if (declared.kind === "name") return [option({ flags: "--search <text>", ...words }, "$contains")];
    if (declared.kind !== "timestamp") return [option(words, "$eq")];
    const since = "Only from this moment on: a timestamp, a day, or how long ago (24h).";
    return [
      option({ flags: "--since <time>", text: since }, "$gte"),
      option({ flags: "--until <time>", text: "Only before this moment." }, "$lt"),
    ];
  });
}

function comparison(operator: string, value: unknown): unknown {
  return typeof value === "object" && !Array.isArray(value)
    ? value
    : { [Array.isArray(value) ? "$in" : operator]: value };
}

function eachOption(named: NamedFields, make: (field: string, words: FieldWords) => FieldOption[]): FieldOption[] {
  return Object.entries(named).flatMap(([field, given = []]) =>
    [given].flat().flatMap((words) => make(field, typeof words === "string" ? { text: words } : words)),
  );
}

/** Descriptions of fields in the words of the declaration, which are those of the API. */
function inOwnWords(fields: Readonly<Record<string, { text: string }>>): NamedFields {
  return Object.fromEntries(Object.entries(fields).map(([field, { text }]) => [field, text.replaceAll("`", "")]));
}

function optionFor(
  field: string,
  { text, words = [] }: DeclaredField | DeclaredFilter,
  own: FieldWords,
  { after, parse }: Kind,
  fill: (value: unknown) => object,
): FieldOption {
  const flags = own.flags ?? `--${flagName(field)}${after}`;
  const description = (own.text ?? text).replace("{words}", words.join(", "));
  const value = own.value ?? ((given) => inSeconds(field, given));
  const option = new FieldOption(flags, description, field, async (given, client) =>
    fill(await withIds(field, await value(given, client), client)),
  );
  const parser = option.variadic || option.negate ? undefined : (own.parse ?? parse);
  return parser ? option.argParser(parser) : option;
}

function inSeconds(field: string, given: unknown): unknown {
  return isDuration(field) && typeof given === "number" ? Math.floor(given / 1000) : given;
}

function isDuration(field: string): boolean {
  return field.endsWith("_seconds");
}

/** The option of a field that has no other: grace for grace_seconds, unit for organizational_unit_id. */
function flagName(field: string): string {
  return field
    .replace(/^(is|has|may)_|_(seconds|timestamp|ids?)$/g, "")
    .replace("organizational_", "")
    .replace(/[_.]/g, "-");
}

function bodyKind(field: string, { kind, words, min = 0, max = Number.MAX_SAFE_INTEGER }: DeclaredField): Kind {
  if (isDuration(field)) return { after: " <time>", parse: parseDuration };
  switch (kind) {
    case "flag":
      return { after: "" };
    case "number":
      return { after: " <number>", parse: parseWhole(min, max) };
    case "timestamp":
      return { after: " <time>", parse: parseFuture };
    case "list":
      return { after: " <list>", parse: parseWords(words) };
    case "json":
      return { after: " <json>", parse: parseJson };
    case "choice":
      return { after: ` <${flagName(field)}>`, parse: parseChoice(words ?? []) };
    case "text":
      return { after: ` <${flagName(field)}>`, ...(/^(full_)?name$/.test(field) ? { parse: parseName } : {}) };
  }
}

function filterKind({ kind, words }: DeclaredFilter): Kind {
  if (kind === "word") return { after: " <list>", parse: parseWords(words) };
  if (kind === "timestamp") return { after: " <time>", parse: parsePast };
  return { after: kind === "flag" ? "" : " <text>" };
}
