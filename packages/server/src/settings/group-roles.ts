import { parseJson } from "@holdfast/api/conventions/parse-json";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { parseUuid } from "@holdfast/api/conventions/uuid";

/** A role that the members of a group at the OpenID provider hold in a unit. */
export interface GroupRole {
  group: string;
  /** The name of a default role, or the id of any. */
  role: string;
  unitId: string;
}

/**
 * Reads which groups have which roles, from JSON or from text; undefined where it cannot be read. A role without a unit is
 * held in the root.
 * @example readGroupRoles("backup-admins=admin, auditors=viewer@3f0c9a3e-6d0b-4a52-9a36-1f3f0c1d2e4b")
 * @example readGroupRoles('{"cn=ops,dc=example": ["operator", "viewer"]}')
 */
export function readGroupRoles(text: string): GroupRole[] | undefined {
  const pairs = text.trim().startsWith("{") ? pairsOfJson(text) : pairsOfText(text);
  const read = pairs?.map(([group, held]) => readGroupRole(group.trim(), held));
  return read?.every((one) => one !== undefined) ? read : undefined;
}

function readGroupRole(group: string, held: string): GroupRole | undefined {
  const [role = "", unit = rootUnitId, ...rest] = held.split("@").map((part) => part.trim());
  const unitId = parseUuid(unit);
  if (group === "" || role === "" || unitId === undefined || rest.length > 0) return undefined;
  return { group, role: parseUuid(role) ?? role.toLowerCase(), unitId };
}

function pairsOfText(text: string): [string, string][] {
  const entries = text.split(",").filter((entry) => entry.trim() !== "");
  return entries.map((entry) => {
    const mark = entry.lastIndexOf("=");
    return [entry.slice(0, Math.max(0, mark)), entry.slice(mark + 1)];
  });
}

function pairsOfJson(text: string): [string, string][] | undefined {
  const json = parseJson(text);
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined;
  return Object.entries(json).flatMap(([group, roles]: [string, unknown]) =>
    (Array.isArray(roles) ? roles : [roles]).map((role): [string, string] => [
      group,
      typeof role === "string" ? role : "",
    ]),
  );
}
