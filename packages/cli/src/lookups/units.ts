import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { Client, ItemOf } from "@holdfast/client";
import { findId, sameName } from "./find-one";

export type Unit = ItemOf<"organizational-units", "read-organizational-unit">;

/** The names of a unit and of those that it is below, from below the root: many teams are called the same. */
export function pathOf({ id, name, ancestors }: Pick<Unit, "id" | "name" | "ancestors">): string {
  if (id === rootUnitId) return name;
  const above = ancestors.filter((unit) => unit.id !== rootUnitId).map((unit) => unit.name);
  return [...above, name].join("/");
}

/** The id of a unit that is named by its id, its name, or its path such as Europe/Hamburg. */
export function findUnitId(client: Client, given: string): Promise<string> {
  return findId(given, {
    noun: "organizational unit",
    list: "unit",
    named: async (text) => {
      const name = text.split("/").at(-1) ?? text;
      const exact = await client.organizationalUnits.list({ filter: { name: { $eq: text } } }).first(10);
      if (exact.length > 0) return exact;
      const units = await client.organizationalUnits.list({ filter: { name: { $eq: name } } }).first(100);
      return units.filter((unit) => isPath(pathOf(unit), text));
    },
    describe: pathOf,
  });
}

/** True if a path is the written one, or ends with it. */
function isPath(path: string, written: string): boolean {
  const parts = written.split("/");
  return sameName(path.split("/").slice(-parts.length).join("/"), written);
}

/** Client that acts in a unit, if one is named. */
export async function actingIn(client: Client, unit: string | undefined): Promise<Client> {
  return unit === undefined ? client : client.in(await findUnitId(client, unit));
}
