import { type Settings, settingDeclarations, settingNames } from "@holdfast/server/settings/declarations";
import { isExecutable } from "@holdfast/server/settings/executable";
import { defaultSettingsFile, type RawSettings, readSettings } from "@holdfast/server/settings/settings";
import type { Command } from "commander";
import { becomeOwner } from "./become-owner";

const flagNames = settingNames.filter((name) => !settingDeclarations[name].isSecret);

/** The settings that a command was started with: its flags, the environment and the settings file. */
export function settingsOf(command: Command, environment: Record<string, string | undefined>): Settings {
  const given = command.opts<Record<string, unknown>>();
  const flags: RawSettings = {};
  for (const name of flagNames) {
    const value = given[name];
    if (value !== undefined) flags[name] = String(value);
  }
  const settings = readSettings({ flags, environment, file: givenFile(command) });
  if (isExecutable) becomeOwner(settings.data_dir);
  return settings;
}

/** The settings file that a command reads, where there is one. */
export function settingsFileOf(command: Command, environment: Record<string, string | undefined>): string {
  return givenFile(command) ?? environment.HOLDFAST_CONFIG ?? defaultSettingsFile();
}

function givenFile(command: Command): string | undefined {
  const { config } = command.opts<Record<string, unknown>>();
  return typeof config === "string" ? config : undefined;
}
