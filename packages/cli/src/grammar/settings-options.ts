import { type SettingName, settingDeclarations, settingNames } from "@holdfast/server/settings/declarations";
import { isExecutable } from "@holdfast/server/settings/executable";
import { hasPassword } from "@holdfast/server/settings/has-password";
import { type Command, Option } from "commander";
import { UsageError } from "./usage-error";

const flagNames = settingNames.filter((name) => !settingDeclarations[name].isSecret);
const secretNames = settingNames.filter((name) => settingDeclarations[name].isSecret);
const defaultFiles = `./holdfast.json${isExecutable ? " or /etc/holdfast/holdfast.json" : ""} where it exists`;
const shownByDefault: readonly SettingName[] = ["data_dir", "database_url", "base_url"];

/** Lets a command take every setting as a flag. Only `serve` shows them all: elsewhere they would bury the rest. */
export function addSettingOptions(
  command: Command,
  { showAll = false, shown = shownByDefault, heading = "Options:" } = {},
): Command {
  // A command that always works on the data of this machine takes --local, too, and ignores it.
  if (!command.options.some(({ long }) => long === "--local")) command.addOption(new Option("--local").hideHelp());
  command.addOption(
    new Option(
      "--config <file>",
      `Settings file, one JSON object. (default: ${defaultFiles}, env: HOLDFAST_CONFIG)`,
    ).helpGroup(heading),
  );
  for (const name of flagNames) addSettingOption(command, name, showAll || shown.includes(name), heading);
  for (const name of secretNames) addSecretOption(command, name);
  return command.addHelpText("after", showAll ? secretsHelp() : "\nSettings: see holdfast serve --help");
}

function addSettingOption(command: Command, name: SettingName, isShown: boolean, heading: string): void {
  const { description, value, default: defaultValue } = settingDeclarations[name];
  const placeholder = value === "boolean" ? `[${value}]` : `<${value}>`;
  const origin = [
    ...(defaultValue === undefined ? [] : [`default: ${defaultValue}`]),
    `env: ${environmentName(name)}`,
  ].join(", ");
  const flag = flagName(name);
  command.addOption(
    new Option(`--${flag} ${placeholder}`, `${description} (${origin})`).helpGroup(heading).hideHelp(!isShown),
  );
  if (flag === name) return;
  command.on(`option:${flag}`, (given: string | null) => command.setOptionValue(name, given ?? true));
  command.addOption(new Option(`--${name} [text]`).hideHelp());
  command.on(`option:${name}`, () => {
    throw new UsageError(`Unknown option '--${name}'. Did you mean --${flag}?`);
  });
}

/** Known only to be refused: as an unknown flag its value would be repeated in the complaint. */
function addSecretOption(command: Command, name: SettingName): void {
  for (const flag of new Set([name, flagName(name)])) {
    command.addOption(new Option(`--${flag} [text]`).hideHelp());
    command.on(`option:${flag}`, () => {
      throw new UsageError(
        `Others on this machine can read what follows --${flag}. Give it in ${environmentName(name)} or in the settings file.`,
      );
    });
  }
}

/** Refuses an address with a password in it, whatever option of a command it was given with. */
export function refusePasswords(command: Command): void {
  for (const option of command.options) {
    const given: unknown = command.getOptionValue(option.attributeName());
    if (typeof given !== "string" || !hasPassword(given)) continue;
    const name = settingNames.find((candidate) => `--${flagName(candidate)}` === option.long);
    const instead = name ? `Give the address in ${environmentName(name)} or in the settings file, or leave` : "Leave";
    throw new UsageError(
      `Others on this machine can read the password in ${option.long}. ${instead} the password out and put it into ~/.pgpass or PGPASSWORD.`,
    );
  }
}

function secretsHelp(): string {
  const lines = secretNames.map(
    (name) => `  ${environmentName(name).padEnd(24)}  ${settingDeclarations[name].description}`,
  );
  return [
    "",
    "Secrets come from the environment or the settings file only, because others can read a process's flags:",
    ...lines,
    "",
    "A flag wins over the environment, and that over the settings file, in which names have underscores:",
    '  {"port": 9090, "base_url": "https://backup.example.org"}',
  ].join("\n");
}

/** True if a command has a setting as an option: then it is meant for the data of this machine. */
export function hasSettingFlag(command: Command): boolean {
  const given = command.opts<Record<string, unknown>>();
  return [...flagNames, "config"].some((name) => given[name] !== undefined);
}

/** The flag of a setting, without the dashes before it: `data-dir` for `data_dir`. */
function flagName(name: string): string {
  return name.replaceAll("_", "-");
}

function environmentName(name: SettingName): string {
  return `HOLDFAST_${name.toUpperCase()}`;
}
