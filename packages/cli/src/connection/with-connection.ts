import { type Client, connect, HoldfastError } from "@holdfast/client";
import { Refusal } from "@holdfast/server/settings/refusal";
import type { Command } from "commander";
import type { ConnectionFlags } from "../grammar/connection-options";
import { inFlags, nameFlags } from "../grammar/name-flags";
import { pathOf } from "../grammar/noun";
import { hasSettingFlag } from "../grammar/settings-options";
import { UsageError } from "../grammar/usage-error";
import { explain } from "../output/write";
import { type FoundService, findService } from "../remote/find-service";
import type { Connection } from "./connection";

export interface ConnectionOptions {
  /** True if the command may make new data where there is none. */
  mayCreate?: boolean;
}

const codes = { itemUnknown: 40402, unitForbidden: 40301 };

export const localNote =
  "There is neither a profile nor a token, so this works on the data of this machine. To ask a service: holdfast login";

/**
 * Lets a command work: on the data of this machine with --local or a setting, else through the service of the profile or the
 * token. Where there is neither, on the data of this machine, and a sentence says so.
 */
export async function withConnection(
  command: Command,
  use: (connection: Connection) => Promise<void>,
  { mayCreate = false }: ConnectionOptions = {},
): Promise<void> {
  const service = findServiceOf(command);
  if (service) {
    const { client, profile } = service;
    return use({ client, local: undefined, profile }).catch((error) => {
      throw withAdvice(command, error);
    });
  }
  const { openLocal } = await import("../local/open-local");
  await openLocal(command, { mayCreate }, (connection) =>
    use(connection).catch((error) => {
      throw asRefusal(withAdvice(command, error), connection);
    }),
  );
}

/** Connects to the service that a command is to ask; nothing where it is to work on the data of this machine. */
function findServiceOf(command: Command): { client: Client; profile: string | undefined } | undefined {
  const flags = command.opts<ConnectionFlags>();
  const isLocal = flags.local === true || hasSettingFlag(command);
  const names = [flags.profile, flags.url, flags.tokenFile];
  if (isLocal && names.some((one) => one !== undefined)) {
    throw new UsageError(
      "--profile, --url and --token-file are for a service, and --local and settings are not. Leave one out.",
    );
  }
  if (isLocal) return undefined;
  const found = findService(flags, process.env);
  if (!found) {
    explain(localNote);
    return undefined;
  }
  return { client: connectTo(found), profile: found.profile };
}

/** The names of this machine: what is sent there does not leave it. */
export const loopback: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** Refuses what is no address of a service, and says what to write. */
export function refuseNoAddress(url: string): void {
  const parsed = URL.parse(url);
  if (parsed && /^https?:\/\//i.test(url) && parsed.hostname !== "") return;
  const [, host] = /^(\[[0-9a-f:]+\]|[\w.-]+)(:\d+)?(\/.*)?$/i.exec(url) ?? [];
  const scheme = host !== undefined && loopback.includes(host.toLowerCase()) ? "http" : "https";
  const advice = host === undefined ? "one such as https://backup.example.org" : `${scheme}://${url}`;
  throw new UsageError(`${url} is no address of a service. Write ${advice}.`);
}

/** Connects to a service. */
export function connectTo({ url, token }: Pick<FoundService, "url" | "token">): Client {
  if (url !== undefined) refuseNoAddress(url);
  try {
    return connect({ token, baseUrl: url, retries: 2 });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(
      "The token is none of Holdfast. Log in with one that holdfast token create made, or set HOLDFAST_URL.",
    );
  }
}

/** Says where to find the id of what does not exist. */
function withAdvice(command: Command, error: unknown): unknown {
  if (!(error instanceof HoldfastError))
    return isApiError(error)
      ? new Refusal(error.faults.map((fault) => inFlags(command, fault)).join(" "), { cause: error })
      : error;
  const list = error.codes.includes(codes.itemUnknown)
    ? command.parent && pathOf(command.parent).replace(/^holdfast ?/, "")
    : error.codes.includes(codes.unitForbidden)
      ? "unit"
      : undefined;
  if (!list) return nameFlags(command, error);
  return new Refusal(`${error.message} See: holdfast ${list} list`, { cause: error });
}

/** A refusal of the server's own code, recognised by its fields: the class would load all of it. */
function isApiError(error: unknown): error is Error & { faults: readonly Parameters<typeof inFlags>[1][] } {
  return error instanceof Error && error.name === "ApiError" && "faults" in error;
}

/** Without a service there is none that could not be asked. What went wrong inside is for the operator to see. */
function asRefusal(error: unknown, { problems = [] }: Connection): unknown {
  if (!(error instanceof HoldfastError)) return error;
  const inside = error.status >= 500 ? problems.at(-1) : undefined;
  if (inside === undefined) return new Refusal(error.message, { cause: error });
  const remedy = /holdfast audit verify/.test(error.message) ? " See: holdfast audit verify" : "";
  return new Refusal(`${inside}${remedy}`, { cause: error });
}
