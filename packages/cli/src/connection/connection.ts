import type { Client } from "@holdfast/client";
import type { Changed } from "@holdfast/server/operations/change";
import type { CommandRequest } from "@holdfast/server/start/change-by-command";

/** Connection of a command: a service, or the API on the data of this machine. */
export interface Connection {
  client: Client;
  /** Set where it is the data of this machine. */
  local: LocalPlane | undefined;
  /** The profile that the token is from. */
  profile?: string | undefined;
  /** Problems inside the service, if it is the data of this machine. */
  problems?: readonly string[];
}

/** Actions that only the operator of this machine can do: act for people. */
export interface LocalPlane {
  /** The address of the database. */
  where: string;
  change(operation: string, request: CommandRequest): Promise<Changed>;
}
