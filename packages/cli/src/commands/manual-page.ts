import { version } from "@holdfast/server/settings/version";
import type { DescribedCommand, DescribedOption } from "../grammar/describe-commands";

/** The page: what there is, then every command. */
export function manualPage(program: DescribedCommand): string {
  const commands = program.commands.flatMap(leaves);
  return `${[
    `.TH HOLDFAST 1 "" "Holdfast ${roff(version)}" "Holdfast"`,
    ".SH NAME",
    `holdfast \\- ${roff(program.description.replace(/\.$/, ""))}`,
    ".SH SYNOPSIS",
    ".B holdfast",
    ".I noun",
    "[\\fIverb\\fR] [\\fIoptions\\fR]",
    ".PP",
    ".B holdfast run",
    "[\\fIflags\\fR] \\-\\- \\fIbackup\\-command\\fR [\\fIarguments...\\fR]",
    ".SH DESCRIPTION",
    ...verbatim(withoutCheckout(program.notes)),
    ".SH COMMANDS",
    ...commands.flatMap(section),
    ".SH ENVIRONMENT",
    ...environment.flatMap(([name, meaning]) => [".TP", `.B ${name}`, roff(meaning)]),
    ".SH FILES",
    ...files.flatMap(([name, meaning]) => [".TP", `.I ${roff(name)}`, roff(meaning)]),
    ".SH EXIT STATUS",
    ...exitCodes.flatMap(([code, meaning]) => [".TP", `.B ${code}`, roff(meaning)]),
  ].join("\n")}\n`;
}

const environment = [
  ["HOLDFAST_URL, HOLDFAST_TOKEN", "The service to ask, and the API token. They win over every profile."],
  ["HOLDFAST_PROFILE", "The profile to use."],
  ["NO_COLOR", "Where it is set, nothing is coloured."],
  ["HOLDFAST_DATA_DIR, HOLDFAST_DATABASE_URL, ...", "The settings of the service, for commands that work on its data."],
] as const;

const files = [
  ["$XDG_CONFIG_HOME/holdfast/profiles.json", "The profiles that holdfast login makes. Only their owner can read it."],
  [
    "/etc/holdfast/holdfast.json",
    "The settings of the service on this machine, also for commands that work on its data.",
  ],
  ["/etc/holdfast/token", "The token with which waiting reports are delivered."],
  ["/var/spool/holdfast", "Reports of backups that root has run, until they are delivered."],
] as const;

const exitCodes = [
  ["0", "Everything is well."],
  ["1", "Something failed, or needs attention (status, task wait)."],
  ["2", "Wrong use."],
  ["3", "The service could not be asked."],
  ["other", "holdfast run ends with the status of the command that it runs."],
] as const;

/** Where there is a manual page, the command is installed, so npx is of no use. */
function withoutCheckout(notes: string): string {
  return notes
    .split("\n\n")
    .filter((paragraph) => !paragraph.startsWith("In the folder of the checkout"))
    .join("\n\n");
}

function leaves(command: DescribedCommand): DescribedCommand[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

function section({ path, usage, description, arguments: given, options, notes }: DescribedCommand): string[] {
  return [
    `.SS holdfast ${path.map(roff).join(" ")} ${roff(usage)}`,
    roff(description),
    ...given.flatMap((argument) => [".TP", `.I ${roff(argument.name)}`, roff(argument.description)]),
    ...options.flatMap(optionLines),
    ...(notes === "" ? [] : [".PP", ...verbatim(notes)]),
  ];
}

function optionLines({ short, long, value, description }: DescribedOption): string[] {
  const names = [...(short ? [short] : []), long].map((name) => `\\fB${roff(name)}\\fR`).join(", ");
  return [".TP", `${names}${value === undefined ? "" : ` \\fI${roff(value)}\\fR`}`, roff(description)];
}

/** Lines that stay as they are. */
function verbatim(text: string): string[] {
  return [".nf", ...text.split("\n").map(roff), ".fi"];
}

/** A text that roff takes for nothing but text. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/gm, "\\&$1");
}
