import type { Client } from "@holdfast/client";
import type { Command } from "commander";
import { parseName, parseWhole } from "../../grammar/argument-parsers";
import { changeVerb } from "../../grammar/change-verb";
import { WrongUse } from "../../grammar/wrong-use";
import { findUnitId, type Unit } from "../../lookups/units";

export const unitArgument = ["unit", "The unit, by name, path or id; see: holdfast unit list"] as const;

interface UnitFlags {
  name?: string;
  parent?: string;
  staleAfter?: number | "inherit";
}

const nameOption = ["--name <name>", "What people call it.", parseName] as const;
const parentOption = ["--parent <unit>", "The unit that it is below, by name, path or id."] as const;
const staleOption = [
  "--stale-after <days>",
  "Days without a good backup after which an item that no monitor watches is stale; 0 is never, inherit follows the unit above.",
  (text: string) => (text === "inherit" ? "inherit" : parseWhole(0, 3650)(text)),
] as const;

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

/** Changes the name of a unit, its place, and when items in it are stale. */
export function updateUnit(): Command {
  return changeVerb<Unit, UnitFlags>({
    name: "update",
    description:
      "Rename an organizational unit, put it with everything below it below another one, or choose when items in it are stale.",
    argument: unitArgument,
    addOptions: (command) =>
      command
        .option(...nameOption)
        .option(...parentOption)
        .option(...staleOption),
    examples: [
      "holdfast unit update Berlin --name Brandenburg",
      "holdfast unit update Lab --parent Berlin",
      "holdfast unit update Archive --stale-after 31",
    ],
    prints: "nothing",
    check: ({ name, parent, staleAfter }) => {
      if (name === undefined && parent === undefined && staleAfter === undefined) {
        throw new WrongUse("Name what is to change: --name, --parent or --stale-after.");
      }
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

async function update(client: Client, given: string, { name, parent, staleAfter: days }: UnitFlags) {
  const body = {
    ...(name === undefined ? {} : { name }),
    ...(await below(client, parent)),
    ...(days === undefined ? {} : { stale_after_days: days === "inherit" ? null : days }),
  };
  return { item: await client.organizationalUnits.update(await findUnitId(client, given), body) };
}

async function below(client: Client, parent: string | undefined): Promise<{ parent_id?: string }> {
  return parent === undefined ? {} : { parent_id: await findUnitId(client, parent) };
}
