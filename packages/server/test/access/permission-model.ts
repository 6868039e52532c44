import { doneStatus, isReadOperation, type Operation } from "@holdfast/api/conventions/operation";
import type { Permission } from "@holdfast/api/conventions/permissions";

/** Units as they lie to the one that is acted in, and the root of all. */
export type Relation = "root" | "above" | "own" | "below" | "beside";

/** Where the item of a request lives; one's own token lives with its user, and some requests have no such place. */
export type ModelPlace = Exclude<Relation, "root"> | "mine" | "anywhere";

/** Units above each unit. */
const above: Record<Relation, readonly Relation[]> = {
  root: [],
  above: ["root"],
  own: ["root", "above"],
  below: ["root", "above", "own"],
  beside: ["root", "above"],
};

/** True if a role that is held in one unit counts in another. */
function covers(heldIn: Relation, unit: Relation): boolean {
  return heldIn === unit || above[unit].includes(heldIn);
}

/** Who asks. */
export interface ModelCaller {
  kind: "service" | "personal";
  /** Permissions of the one role; nothing for somebody from whom it was taken. */
  permissions: ReadonlySet<Permission> | undefined;
  heldIn: Relation;
}

/** Target of a request. */
export interface ModelRequest {
  /**
   * Reach of its place: `inside` is seen from the unit and those above it, `usable` also from those below it,
   * `named` stands in the body, and `none` has no place.
   */
  reach: "inside" | "usable" | "named" | "none";
  place: ModelPlace;
  /** Permissions that the caller must hold, because it is given or taken, or is held by what is changed. */
  gives: readonly Permission[];
  /** True if what is made has to lie in the unit that is acted in, or below it. */
  staysInside?: boolean;
  /** Permission that this request needs, where that is another permission than the operation's own. */
  needs?: Permission;
}

/** True if a caller may call an operation in the unit at all. */
export function mayCall(operation: Operation, { kind, permissions, heldIn }: ModelCaller): boolean {
  if (!permissions || !covers(heldIn, "own")) return false;
  if (operation.isForServices && kind === "personal") return false;
  if (operation.permission === null) return true;
  if (operation.requiresRoot) return heldIn === "root" && permissions.has(operation.permission);
  const suffices = [operation.permission, ...(operation.otherPermissions ?? [])];
  const hasFurther = (operation.furtherPermissions ?? []).every((permission) => permissions.has(permission));
  const mayCallIt = hasFurther && suffices.some((permission) => permissions.has(permission));
  return mayCallIt || (operation.allowsSelf === true && kind === "personal");
}

/** Expected status of a request: written down here once more, apart from the code that decides it. */
export function expectedStatus(operation: Operation, caller: ModelCaller, request: ModelRequest): number {
  const { permissions, heldIn } = caller;
  const { reach, place, gives, staysInside = false, needs = operation.permission } = request;
  const done = doneStatus(operation);
  if (!permissions) return 401;
  if (!mayCall(operation, caller)) return 403;
  if (place === "mine" || place === "anywhere") return done;
  const hasPermission = needs === null || permissions.has(needs);
  // A request that several permissions allow still needs the one that it is about.
  if (operation.otherPermissions && !hasPermission) return 403;
  const isInside = place === "own" || place === "below";
  const isVisible = {
    inside: isInside && hasPermission,
    usable: isInside || covers(place, "own"),
    named: true,
    none: true,
  }[reach];
  if (!isVisible) return 404;
  if (reach === "named" && !(covers(heldIn, place) && hasPermission)) return 403;
  // An item of another unit is changed there.
  if (reach === "usable" && place !== "own" && !isReadOperation(operation)) return 409;
  if (!isReadOperation(operation) && !gives.every((permission) => permissions.has(permission))) return 403;
  return staysInside && !isInside ? 422 : done;
}
