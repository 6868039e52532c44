import { type ControlPlane, openControlPlane } from "@holdfast/server/installation/control-plane";
import type { Settings } from "@holdfast/server/settings/declarations";
import type { Command } from "commander";
import { settingsOf } from "./settings-options";

/** What a command works on. */
export interface OpenedForCommand extends ControlPlane {
  settings: Settings;
  now: number;
}

/** Opens the data that the settings name, lets a command work on it and closes it whatever happens. */
export async function openForCommand(
  command: Command,
  work: (opened: OpenedForCommand) => Promise<void>,
): Promise<void> {
  const settings = settingsOf(command, process.env);
  const now = Date.now();
  const controlPlane = await openControlPlane(settings, now);
  try {
    await work({ ...controlPlane, settings, now });
  } finally {
    await controlPlane.database.close();
  }
}
