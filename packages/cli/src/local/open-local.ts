import { connect } from "@holdfast/client";
import { withoutPassword } from "@holdfast/server/database/postgres/url";
import { changeByCommand } from "@holdfast/server/start/change-by-command";
import { createCommandApi } from "@holdfast/server/start/command-api";
import type { Command } from "commander";
import type { Connection, LocalPlane } from "../connection/connection";
import { openForCommand, openOrMakeForCommand } from "./open-for-command";

/** Opens the data of this machine and lets a command use the API on it, without a service. */
export function openLocal(
  command: Command,
  { mayCreate }: { mayCreate: boolean },
  use: (connection: Connection) => Promise<void>,
): Promise<void> {
  const open = mayCreate ? openOrMakeForCommand : openForCommand;
  return open(command, async (opened) => {
    const { settings } = opened;
    const problems: string[] = [];
    const keep = (message: string, { error, detail }: { error?: string; detail?: string } = {}) =>
      problems.push(error ?? detail?.split("\n")[0] ?? message);
    const log = { debug() {}, info() {}, warn() {}, error: keep, flush() {} };
    const api = await createCommandApi(opened, { settings, log });
    const local: LocalPlane = {
      where: withoutPassword(settings.database_url),
      change: (operation, request) => changeByCommand(opened, operation, () => request),
    };
    // An answer that was not kept by its key cannot be repeated, and here none gets lost.
    const fetch = (url: string, init: RequestInit) => {
      const headers = new Headers(init.headers);
      headers.delete("Idempotency-Key");
      return api.fetch(url, { ...init, headers });
    };
    const client = connect({ token: "command-line", baseUrl: api.baseUrl, fetch, retries: 0 });
    try {
      await use({ client, local, problems });
    } finally {
      api.close();
    }
  });
}
