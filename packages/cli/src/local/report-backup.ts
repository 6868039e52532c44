import { hostname } from "node:os";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import { errorCodes } from "@holdfast/runner/error-codes";
import { version } from "@holdfast/server/settings/version";
import type { Command } from "commander";
import { openLocal } from "./open-local";

const code = "holdfast_backup_failed";

/** A backup of Holdfast itself, as a task reports it. */
export interface ReportedBackup {
  /** The folder or file that it goes to: another place is another recurring backup. */
  place: string;
  durationMs: number;
  /** Why there is no copy; undefined if there is one. */
  failure: unknown;
}

/** Reports a backup of Holdfast as a task, in the data of this machine: it needs neither a token nor a service that runs. */
export function reportBackup(command: Command, { place, durationMs, failure }: ReportedBackup): Promise<void> {
  const host = process.env.HOLDFAST_HOST || hostname();
  const value = `${host}/holdfast`;
  const end =
    failure === undefined
      ? ({ status: "completed" } as const)
      : ({
          status: "failed",
          error: {
            code,
            message: errorMessage(failure),
            remedy: errorCodes[code].remedy,
          },
        } as const);
  return openLocal(command, { mayCreate: false }, async ({ client }) => {
    await client.tasks.create({
      category: "backup",
      type: "holdfast_backup",
      operation: `holdfast_backup → ${place}`.slice(0, 200),
      name: "Backup of Holdfast",
      primary_entity: { type: "database", id: value, value },
      runner: { host, version: `holdfast ${version}` },
      duration_ms: Math.round(durationMs),
      ...end,
    });
  });
}
