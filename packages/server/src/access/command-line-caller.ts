import { type Permission, permissions } from "@holdfast/api/conventions/permissions";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { Caller } from "./caller";

/**
 * The operator at the command line. A process that can read the data directory and the secret can do everything, so this caller
 * holds every permission in the root, and may act for people.
 */
export const commandLineCaller: Caller = {
  tokenId: "",
  kind: "command_line",
  userId: null,
  limitedAs: "command_line",
  unitId: rootUnitId,
  roles: [{ unitId: rootUnitId, permissions: new Set(Object.keys(permissions).filter(isPermission)) }],
  mayActForPeople: true,
};

function isPermission(name: string): name is Permission {
  return Object.hasOwn(permissions, name);
}
