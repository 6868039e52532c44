import { defaultRoles } from "@holdfast/api/conventions/permissions";
import type { World } from "./changed-world";

type Ids = World["ids"];

interface ChangeRequest {
  method: "POST" | "PATCH" | "DELETE";
  path: string;
  body?: object;
  /** Whose token the request has; that of the owner where it is not said. */
  as?: keyof World["tokens"];
}

/** A command, and the request that asks for the same. */
export interface ChangeCase {
  /** As it stands after holdfast, without options. */
  command: string;
  what: string;
  isRefused: boolean;
  args: (ids: Ids) => string[];
  request: (ids: Ids) => ChangeRequest;
  /** Fields in which the command is meant to differ. */
  differsIn?: readonly string[];
}

export const viewer = defaultRoles.viewer.id;

/** Adds to a command the words that follow it, and the request. */
export function cases(
  command: string,
  rows: [
    done: "done" | "refused",
    what: string,
    args: (ids: Ids) => string[],
    request: (ids: Ids) => ChangeRequest,
    differsIn?: readonly string[],
  ][],
): ChangeCase[] {
  return rows.map(([done, what, args, request, differsIn = []]) => ({
    command,
    what,
    isRefused: done === "refused",
    args: (ids) => [...command.split(" "), ...args(ids)],
    request,
    differsIn,
  }));
}

export const post = (path: string, body?: object, as?: keyof World["tokens"]): ChangeRequest => ({
  method: "POST",
  path,
  ...(body ? { body } : {}),
  ...(as ? { as } : {}),
});
export const patch = (path: string, body: object): ChangeRequest => ({ method: "PATCH", path, body });
export const remove = (path: string): ChangeRequest => ({ method: "DELETE", path });
export const held = (role_id: string, ...organizational_unit_ids: string[]) => ({ role_id, organizational_unit_ids });
