import { existsSync } from "node:fs";
import { withoutPassword } from "@holdfast/server/database/postgres/url";
import { type ControlPlane, type ControlPlaneUse, openControlPlane } from "@holdfast/server/installation/control-plane";
import { hasInstallation } from "@holdfast/server/installation/has-installation";
import { requireAccess } from "@holdfast/server/installation/require-access";
import type { Settings } from "@holdfast/server/settings/declarations";
import { Refusal } from "@holdfast/server/settings/refusal";
import type { Command } from "commander";
import { settingsOf } from "./read-settings";

/** Open control plane of a command. */
export interface OpenedForCommand extends ControlPlane {
  settings: Settings;
  now: number;
}

const elsewhere = "name it with --data-dir (HOLDFAST_DATA_DIR) or database_url (HOLDFAST_DATABASE_URL)";

type Work = (opened: OpenedForCommand) => Promise<void>;

/** Opens the data that the settings name, lets a command work on it and closes it whatever happens. */
export function openForCommand(command: Command, work: Work, use: ControlPlaneUse = {}): Promise<void> {
  return open(command, work, { ...use, mayCreate: false });
}

/** Opens the control plane for a command that creates or imports something: where there is no data, it makes new data and says where. */
export function openOrMakeForCommand(command: Command, work: Work): Promise<void> {
  return open(command, work, { mayCreate: true });
}

async function open(command: Command, work: Work, { mayCreate = false, ...use }: ControlPlaneUse): Promise<void> {
  const settings = settingsOf(command, process.env);
  const { data_dir: folder, database_url: url } = settings;
  const now = Date.now();
  requireAccess(settings);
  const isThere = await hasInstallation(url);
  if (!isThere && !mayCreate) {
    throw new Refusal(
      `There is no data of Holdfast in ${withoutPassword(url)}. If yours is elsewhere, ${elsewhere}; to make new data here, run: holdfast serve`,
    );
  }
  const makes = isThere ? [] : [...(existsSync(folder) ? [] : [folder]), withoutPassword(url)];
  const controlPlane = await openControlPlane(settings, now, {
    ...use,
    // Data on a server of its own needs no folder here, unless its secret is to be made.
    mayCreate: mayCreate && !isThere,
    onMigration: (_level, message, detail) =>
      process.stderr.write(`holdfast: ${message}${detail === undefined ? "" : ` (${detail})`}\n`),
  });
  try {
    if (makes.length > 0) {
      process.stderr.write(`Made new data: ${makes.join(" with ")}. If yours is elsewhere, ${elsewhere}.\n`);
    }
    await work({ ...controlPlane, settings, now });
  } finally {
    await controlPlane.database.close();
  }
}
