import { createUnit, listUnits, rootUnitId, type UnitRow } from "@holdfast/server/resources/organizational-units/store";
import { Command } from "commander";
import { parseId, parseName } from "../argument-parsers";
import { openForCommand } from "../open-for-command";
import { formatJson, formatMoment, formatTable, printResult } from "../output";
import { addSettingOptions } from "../settings-options";

export function ouCommand(): Command {
  return new Command("ou")
    .description("Organizational units: one tree, in which roles are held and tasks belong.")
    .addCommand(createCommand())
    .addCommand(listCommand());
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
    .action(({ name, parent = rootUnitId }: { name: string; parent?: string }) =>
      openForCommand(command, async ({ database, now }) => {
        printResult(await database.change((db) => createUnit(db, { name, parentId: parent, createdAt: now })));
      }),
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
