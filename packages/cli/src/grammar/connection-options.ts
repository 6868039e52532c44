import { type Command, Option } from "commander";
import type { ServiceFlags } from "../remote/find-service";
import { addSettingOptions } from "./settings-options";

/** Options that say where a command works. */
export interface ConnectionFlags extends ServiceFlags {
  local?: true;
}

const heading = "Where it works:";

/** Lets a command ask a service, or work on the data of this machine. */
export function addConnectionOptions(command: Command): Command {
  const options = [
    new Option("--profile <name>", "The profile to use. (default: the current one, env: HOLDFAST_PROFILE)"),
    new Option("--url <url>", "The service to ask. (default: that of the profile or the token, env: HOLDFAST_URL)"),
    new Option("--token-file <file>", "A file with the API token, instead of HOLDFAST_TOKEN or a profile."),
    new Option(
      "--local",
      "Work on the data of this machine, without the API. A setting, such as --data-dir, implies it.",
    ),
  ];
  for (const option of options) command.addOption(option.helpGroup(heading));
  return addSettingOptions(command, { heading });
}

/** Adds an option that is the same as another one. */
function addAlias(command: Command, alias: string, flag: string, name: string): Command {
  command.addOption(new Option(`--${alias} ${flag}`, `The same as --${name}.`).hideHelp());
  command.on(`option:${alias}`, (given: string) => command.setOptionValue(name, given));
  return command;
}

/** Lets a command act in an organizational unit that is named. */
export function addUnitOption(command: Command, description: string): Command {
  command.option("--unit <unit>", `${description} By name, path or id; --ou is the same.`);
  return addAlias(command, "ou", "<unit>", "unit");
}
