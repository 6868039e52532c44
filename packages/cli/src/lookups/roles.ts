import { parseUuid } from "@holdfast/api/conventions/uuid";
import { type Client, HoldfastError, type ItemOf } from "@holdfast/client";
import { Refusal } from "@holdfast/server/settings/refusal";
import { quoted } from "./find-one";

type Role = ItemOf<"roles", "read-role">;

/**
 * The id of a role that is named by its name, in any letter case, or by its id. Of several with the name it is the one that can
 * be held in the unit. Whether it can is for the operation to say that is asked for it.
 */
export async function findRoleId(client: Client, nameOrId: string, unitId: string | undefined): Promise<string> {
  const id = parseUuid(nameOrId);
  if (id !== undefined) return id;
  const named = await client.roles.list({ filter: { name: { $eq: nameOrId } } }).first(100);
  const [first, ...others] = named;
  if (first && others.length === 0) return first.id;
  const usable = await unitAndAbove(client, unitId);
  const isUsable = (role: Role) => role.is_default || usable.includes(role.organizational_unit_id);
  const found = named.find(isUsable) ?? first;
  if (found) return found.id;
  const all = await client.roles.list().first(1000);
  const choice = all.filter(isUsable).map(({ name }) => name);
  throw new Refusal(`There is no role ${quoted(nameOrId)}. Choose one of ${inOrder(choice).join(", ")}.`);
}

async function unitAndAbove(client: Client, unitId: string | undefined): Promise<string[]> {
  try {
    const { id, ancestors } =
      unitId === undefined ? await ownUnit(client) : await client.organizationalUnits.read(unitId);
    return [id, ...ancestors.map((unit) => unit.id)];
  } catch (error) {
    if (error instanceof HoldfastError) return [];
    throw error;
  }
}

async function ownUnit(client: Client) {
  const { organizational_unit } = await client.caller.read();
  return client.organizationalUnits.read(organizational_unit.id);
}

function inOrder(names: readonly string[]): string[] {
  return [...names].sort((one, other) => (one < other ? -1 : 1));
}
