import { listUnits, type UnitRow } from "@holdfast/server/resources/organizational-units/store";
import { Command } from "commander";
import { parseId, parseName } from "../argument-parsers";
import { makeChange } from "../make-change";
import { openForCommand } from "../open-for-command";
import { formatJson, formatMoment, formatTable, printResult } from "../output";
import { addSettingOptions } from "../settings-options";

export function ouCommand(): Command {
  return new Command("ou")
    .description("Organizational units: one tree, in which roles are held and tasks belong.")
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(renameCommand())
    .addCommand(moveCommand())
    .addCommand(deleteCommand());
}

function createCommand(): Command {
  const command = new Command("create")
    .description("Create an organizational unit and print its id.")
    .requiredOption("--name <name>", "What people call it.", parseName)
    .option("--parent <id>", "The unit that it is below. (default: the root)", parseId)
    .addHelpText(
      "after",
      `
Examples:
  $ BERLIN=$(holdfast ou create --name Berlin)
  $ holdfast ou create --name "Berlin databases" --parent $BERLIN`,
    )
    .action(({ name, parent }: { name: string; parent?: string }) =>
      makeChange(
        command,
        "create-organizational-unit",
        () => ({ body: { name, ...(parent === undefined ? {} : { parent_id: parent }) } }),
        ({ object }) => printResult(object.id),
      ),
    );
  return addSettingOptions(command);
}

function listCommand(): Command {
  const command = new Command("list")
    .description("Draw the tree of organizational units.")
    .option("--json", "Print one JSON array, each unit after the one that it is below.")
    .action(({ json }: { json?: true }) =>
      openForCommand(command, async ({ database }) => {
        const branches = inTreeOrder(await database.snapshot(listUnits));
        printResult(
          json
            ? formatJson(
                branches.map(({ unit }) => ({
                  id: unit.id,
                  name: unit.name,
                  parent_id: unit.parent_id,
                  created_timestamp: formatMoment(unit.created_at),
                })),
              )
            : formatTable(
                [
                  { title: "NAME", text: ({ lines, unit }) => `${lines}${unit.name}` },
                  { title: "ID", text: ({ unit }) => unit.id },
                ],
                branches,
              ),
        );
      }),
    );
  return addSettingOptions(command);
}

function renameCommand(): Command {
  const command = new Command("rename")
    .description("Give an organizational unit another name.")
    .argument("<id>", "The unit.", parseId)
    .requiredOption("--name <name>", "What people are to call it.", parseName)
    .action((id: string, { name }: { name: string }) =>
      makeChange(command, "update-organizational-unit", () => ({ ...unit(id), body: { name } })),
    );
  return addSettingOptions(command);
}

function moveCommand(): Command {
  const command = new Command("move")
    .description("Put an organizational unit, with everything below it, below another one.")
    .argument("<id>", "The unit.", parseId)
    .requiredOption("--parent <id>", "The unit that it is to be below.", parseId)
    .action((id: string, { parent }: { parent: string }) =>
      makeChange(command, "update-organizational-unit", () => ({ ...unit(id), body: { parent_id: parent } })),
    );
  return addSettingOptions(command);
}

function deleteCommand(): Command {
  const command = new Command("delete")
    .description("Delete an organizational unit that is empty, or whose contents are moved to another.")
    .argument("<id>", "The unit.", parseId)
    .option("--move-to <id>", "The unit that everything in it is moved to.", parseId)
    .action((id: string, { moveTo }: { moveTo?: string }) =>
      makeChange(command, "delete-organizational-unit", () => ({
        ...unit(id),
        ...(moveTo === undefined ? {} : { parameters: { move_to: moveTo } }),
      })),
    );
  return addSettingOptions(command);
}

function unit(id: string) {
  return { variables: { organizational_unit_id: id } };
}

/** A unit and the lines that connect it with the units above it. */
interface Branch {
  unit: UnitRow;
  lines: string;
}

function inTreeOrder(units: readonly UnitRow[]): Branch[] {
  const below = Map.groupBy(units, (unit) => unit.parent_id);
  const branchesBelow = (parentId: string | null, indent: string): Branch[] => {
    const siblings = below.get(parentId) ?? [];
    return siblings.flatMap((unit, index) => {
      if (parentId === null) return [{ unit, lines: "" }, ...branchesBelow(unit.id, "")];
      const isLast = index === siblings.length - 1;
      return [
        { unit, lines: `${indent}${isLast ? "└─ " : "├─ "}` },
        ...branchesBelow(unit.id, `${indent}${isLast ? "   " : "│  "}`),
      ];
    });
  };
  return branchesBelow(null, "");
}
