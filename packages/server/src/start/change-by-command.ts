import { supportedVersions, type WriteOperation } from "@holdfast/api/conventions/operation";
import { resources } from "@holdfast/api/resources/index";
import { commandLineCaller } from "../access/command-line-caller";
import { notedAddresses } from "../access/tokens/noted-base-url";
import type { Queries } from "../database/database";
import type { ControlPlane } from "../installation/control-plane";
import type { ActingFor, Changed } from "../operations/change";
import { checkBody } from "../operations/check-body";
import { makeChange } from "../operations/make-change";
import { changes } from "../resources/index";
import type { Settings } from "../settings/declarations";
import { defaultBaseUrl } from "../settings/settings";

/** The opened data that a command works on, and the moment at which it does. */
export interface CommandPlane extends Pick<ControlPlane, "database" | "sealer"> {
  settings: Pick<Settings, "base_url" | "base_url_aliases" | "host" | "port" | "token_limit">;
  now: number;
}

/** Request of a command to an operation: the values of path, query and body. */
export interface CommandRequest {
  variables?: Record<string, string>;
  parameters?: Record<string, string>;
  body?: object;
  actingFor?: ActingFor;
}

/**
 * Makes a change for the operator at the command line, who acts in the root. What is asked for is worked out inside the
 * transaction, so that names and what is held now cannot change in between. No mail is sent: the command prints links.
 */
export async function changeByCommand(
  { database, sealer, settings, now }: CommandPlane,
  operationId: string,
  ask: (db: Queries) => CommandRequest | Promise<CommandRequest>,
): Promise<Changed> {
  const { operation, version } = findOperation(operationId);
  const implementation = changes()[operationId];
  if (!implementation) throw new Error(`Nothing implements the operation ${operationId}.`);
  const noted = await database.snapshot(notedAddresses);
  const parts = {
    database,
    sealer,
    tokenLimit: settings.token_limit,
    baseUrl: settings.base_url ?? noted.baseUrl ?? defaultBaseUrl(settings.host, settings.port),
    baseUrlAliases: settings.base_url_aliases.length > 0 ? settings.base_url_aliases : noted.aliases,
    // The operator has no token to renew.
    tokenRenewalDays: 0,
    mailer: undefined,
    metrics: undefined,
    clock: () => now,
    reloadCaller: async () => commandLineCaller,
  };
  return makeChange<Changed>(parts, {
    operation,
    implementation,
    version,
    caller: commandLineCaller,
    unitId: commandLineCaller.unitId,
    address: null,
    requestId: null,
    async ask(db) {
      const { variables = {}, parameters = {}, body = {}, actingFor = {} } = await ask(db);
      return {
        variables,
        parameters: new Map(Object.entries(parameters)),
        body: checkBody(implementation.body, body, operation.item),
        actingFor,
      };
    },
    requireMatch: () => {},
    findEarlierAnswer: async () => undefined,
    answer: async (_db, changed) => changed,
    runLater: () => {},
  });
}

/** The newest declaration of an operation that changes something. */
function findOperation(id: string): { operation: WriteOperation; version: number } {
  for (const resource of resources) {
    for (const version of supportedVersions(resource)) {
      const declared = resource.versions.find((one) => one.version === version)?.operations ?? [];
      const operation = declared.find((one) => one.id === id);
      if (operation?.kind === "write") return { operation, version };
    }
  }
  throw new Error(`There is no operation ${id} that changes something.`);
}
