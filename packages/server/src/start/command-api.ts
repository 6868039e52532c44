import { commandLineCaller } from "../access/command-line-caller";
import { notedAddresses } from "../access/tokens/noted-base-url";
import { createApp } from "../http/app";
import type { ControlPlane } from "../installation/control-plane";
import type { Settings } from "../settings/declarations";
import { defaultBaseUrl } from "../settings/settings";
import type { Log } from "../telemetry/log";
import { createService } from "./service";

/** The API on opened data, for the commands of this machine: nothing listens, and the caller is the operator. */
export interface CommandApi {
  /** Base URL of a client. It is no address of the network. */
  baseUrl: string;
  fetch(url: string, init: RequestInit): Promise<Response>;
  close(): void;
}

/** The address that requests of commands are written to. */
const inProcess = "http://command.invalid";

/**
 * Answers requests of a command, with the same code that answers those of the network: the same filters, rights, refusals and
 * audit events. The actor is `command_line`.
 */
export async function createCommandApi(
  controlPlane: ControlPlane,
  { settings, log }: { settings: Settings; log: Log },
): Promise<CommandApi> {
  const noted = await controlPlane.database.snapshot(notedAddresses);
  const baseUrl = settings.base_url ?? noted.baseUrl ?? defaultBaseUrl(settings.host, settings.port);
  const baseUrlAliases = settings.base_url_aliases.length > 0 ? settings.base_url_aliases : noted.aliases;
  const service = createService({ settings, controlPlane, baseUrl, baseUrlAliases, log });
  const app = createApp({
    ...service,
    checkToken: async () => commandLineCaller,
    reloadCaller: async () => commandLineCaller,
    isOurHost: () => true,
    limitRate: () => ({}),
    // The command ends before these would write, and tells the operator itself of what was refused.
    tokenUse: { note: () => {}, flush: async () => {} },
    refusals: { note: () => {}, flush: async () => {} },
  });
  return {
    baseUrl: inProcess,
    fetch: async (url, init) => app.fetch(new Request(url, init)),
    close: () => service.taskFeed.close(),
  };
}
