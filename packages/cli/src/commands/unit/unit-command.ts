import type { Command } from "commander";
import { parseWhole } from "../../grammar/argument-parsers";
import { resourceNoun } from "../../grammar/resource-noun";
import { findUnitId, pathOf, type Unit } from "../../lookups/units";
import { type ColumnSpec, hidden } from "../../output/columns";
import { moment, some } from "../../output/facts";
import { drawTree, type TreeFlags } from "./draw-tree";

const columns: ColumnSpec<Unit>[] = [
  { name: "path", title: "NAME", value: pathOf, canShrink: true },
  "id",
  ...hidden("name", "parent_id", "created_timestamp"),
];

const name = "What people call it.";
const parent = { flags: "--parent <unit>", text: "The unit that it is below, by name, path or id." };
const stale = {
  flags: "--stale-after <days>",
  text: "Days without a good backup after which an item that no monitor watches is stale; 0 is never, inherit follows the unit above.",
  parse: (text: string) => (text === "inherit" ? text : parseWhole(0, 3650)(text)),
  value: (given: unknown) => (given === "inherit" ? null : given),
};

/** Organizational units. */
export function unitCommand(): Command {
  return resourceNoun<"organizational-units", Unit, TreeFlags>({
    name: "unit",
    description: "Organizational units: one tree, in which roles are held and tasks belong.",
    resource: "organizational-units",
    calls: ({ organizationalUnits }) => organizationalUnits,
    argument: ["unit", "The unit, by name, path or id; see: holdfast unit list"],
    find: findUnitId,
    columns,
    facts: (unit) => [
      ["Unit", unit.name],
      ...some("Below", unit.ancestors.map(({ name }) => name).join("/")),
      ["Units below it", String(unit.child_count)],
      ["Items are stale", staleWords(unit.stale_after_days)],
      ["Created", moment(unit.created_timestamp)],
      ["Id", unit.id],
    ],
    list: {
      description: "Draw the tree of organizational units.",
      filters: { name: "Only those with this in their names." },
      examples: ["holdfast unit", "holdfast unit list --search lab", "holdfast unit list --unit Berlin -o json"],
      instead: (connection, flags, format) => drawTree(connection, flags, format, columns),
    },
    show: { description: "Show an organizational unit.", examples: ["holdfast unit show Berlin"] },
    create: {
      description: "Create an organizational unit and print its id.",
      fields: { name, parent_id: { ...parent, text: `${parent.text} (default: the unit acted in)` } },
      examples: [
        "BERLIN=$(holdfast unit create --name Berlin)",
        'holdfast unit create --name "Databases" --parent Berlin',
      ],
      mayCreate: true,
    },
    update: {
      description:
        "Rename an organizational unit, put it with everything below it below another one, or choose when items in it are stale.",
      fields: { name, parent_id: parent, stale_after_days: stale },
      examples: [
        "holdfast unit update Berlin --name Brandenburg",
        "holdfast unit update Lab --parent Berlin",
        "holdfast unit update Archive --stale-after 31",
      ],
    },
    updates: {
      rename: {
        description: "Give an organizational unit another name.",
        fields: { name },
        examples: ["holdfast unit rename Berlin --name Brandenburg"],
      },
      move: {
        description: "Put an organizational unit, with everything below it, below another one.",
        fields: { parent_id: parent },
        examples: ["holdfast unit move Lab --parent Berlin"],
      },
    },
    delete: {
      description: "Delete an organizational unit that is empty, or whose contents are moved to another.",
      examples: ["holdfast unit delete Berlin/Lab --move-to Berlin"],
      nameOf: pathOf,
      option: ["--move-to <unit>", "The unit that everything in it is moved to."],
      options: async (client, { moveTo }) =>
        typeof moveTo === "string" ? { moveTo: await findUnitId(client, moveTo) } : {},
    },
  });
}

function staleWords(days: number | null): string {
  if (days === null) return "as in the unit above, or as the service is set";
  return days === 0 ? "never" : `after ${days} days without a good backup, if no monitor watches them`;
}
