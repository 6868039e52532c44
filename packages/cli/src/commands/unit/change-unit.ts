import type { Client } from "@holdfast/client";
import type { Command } from "commander";
import { parseName } from "../../grammar/argument-parsers";
import { changeVerb } from "../../grammar/change-verb";
import { WrongUse } from "../../grammar/wrong-use";
import { findUnitId, type Unit } from "../../lookups/units";

export const unitArgument = ["unit", "The unit, by name, path or id; see: holdfast unit list"] as const;

interface UnitFlags {
  name?: string;
  parent?: string;
}

const nameOption = ["--name <name>", "What people call it.", parseName] as const;
const parentOption = ["--parent <unit>", "The unit that it is below, by name, path or id."] as const;

export function createUnit(): Command {
  return changeVerb<Unit, UnitFlags>({
    name: "create",
    description: "Create an organizational unit and print its id.",
    addOptions: (command) =>
      command.requiredOption(...nameOption).option(parentOption[0], `${parentOption[1]} (default: the unit acted in)`),
    examples: [
      "BERLIN=$(holdfast unit create --name Berlin)",
      'holdfast unit create --name "Databases" --parent Berlin',
    ],
    prints: "the id",
    mayCreate: true,
    async change({ client }, _, { name = "", parent }) {
      const item = await client.organizationalUnits.create({ name, ...(await below(client, parent)) });
      return { item, result: item.id };
    },
  });
}

/** Changes the name of a unit, its place, or both. */
export function updateUnit(): Command {
  return changeVerb<Unit, UnitFlags>({
    name: "update",
    description: "Rename an organizational unit, or put it with everything below it below another one.",
    argument: unitArgument,
    addOptions: (command) => command.option(...nameOption).option(...parentOption),
    examples: ["holdfast unit update Berlin --name Brandenburg", "holdfast unit update Lab --parent Berlin"],
    prints: "nothing",
    check: ({ name, parent }) => {
      if (name === undefined && parent === undefined) throw new WrongUse("Name what is to change: --name or --parent.");
    },
    change: ({ client }, given, flags) => update(client, given, flags),
  });
}

export function renameUnit(): Command {
  return changeVerb<Unit, UnitFlags>({
    name: "rename",
    description: "Give an organizational unit another name.",
    argument: unitArgument,
    addOptions: (command) => command.requiredOption(...nameOption),
    examples: ["holdfast unit rename Berlin --name Brandenburg"],
    prints: "nothing",
    change: ({ client }, given, flags) => update(client, given, flags),
  });
}

export function moveUnit(): Command {
  return changeVerb<Unit, UnitFlags>({
    name: "move",
    description: "Put an organizational unit, with everything below it, below another one.",
    argument: unitArgument,
    addOptions: (command) => command.requiredOption(...parentOption),
    examples: ["holdfast unit move Lab --parent Berlin"],
    prints: "nothing",
    change: ({ client }, given, flags) => update(client, given, flags),
  });
}

async function update(client: Client, given: string, { name, parent }: UnitFlags) {
  const body = { ...(name === undefined ? {} : { name }), ...(await below(client, parent)) };
  return { item: await client.organizationalUnits.update(await findUnitId(client, given), body) };
}

async function below(client: Client, parent: string | undefined): Promise<{ parent_id?: string }> {
  return parent === undefined ? {} : { parent_id: await findUnitId(client, parent) };
}
