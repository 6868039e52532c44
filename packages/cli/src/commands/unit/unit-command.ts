import type { Command } from "commander";
import { deleteVerb } from "../../grammar/delete-verb";
import { noun } from "../../grammar/noun";
import { showVerb } from "../../grammar/show-verb";
import { findUnitId, pathOf } from "../../lookups/units";
import { moment, some } from "../../output/facts";
import { createUnit, moveUnit, renameUnit, unitArgument, updateUnit } from "./change-unit";
import { listUnits } from "./list-units";

/** Organizational units. */
export function unitCommand(): Command {
  return noun("unit", "Organizational units: one tree, in which roles are held and tasks belong.", [
    listUnits(),
    showVerb({
      description: "Show an organizational unit.",
      argument: unitArgument,
      examples: ["holdfast unit show Berlin"],
      read: async (client, given) => client.organizationalUnits.read(await findUnitId(client, given)),
      id: ({ id }) => id,
      facts: (unit) => [
        ["Unit", unit.name],
        ...some("Below", unit.ancestors.map(({ name }) => name).join("/")),
        ["Units below it", String(unit.child_count)],
        ["Items are stale", staleWords(unit.stale_after_days)],
        ["Created", moment(unit.created_timestamp)],
        ["Id", unit.id],
      ],
    }),
    createUnit(),
    updateUnit(),
    renameUnit(),
    moveUnit(),
    deleteVerb<{ moveTo?: string }>({
      description: "Delete an organizational unit that is empty, or whose contents are moved to another.",
      argument: unitArgument,
      addOptions: (command) => command.option("--move-to <unit>", "The unit that everything in it is moved to."),
      examples: ["holdfast unit delete Berlin/Lab --move-to Berlin"],
      find: ({ client }, given) => findUnitId(client, given),
      nameOf: async ({ client }, id) => pathOf(await client.organizationalUnits.read(id)),
      async remove({ client }, id, { moveTo }) {
        const target = moveTo === undefined ? undefined : await findUnitId(client, moveTo);
        await client.organizationalUnits.delete(id, { moveTo: target });
      },
    }),
  ]);
}

function staleWords(days: number | null): string {
  if (days === null) return "as in the unit above, or as the service is set";
  return days === 0 ? "never" : `after ${days} days without a good backup, if no monitor watches them`;
}
