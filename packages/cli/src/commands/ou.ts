import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { Queries } from "@holdfast/server/database/database";
import type { AuditView } from "@holdfast/server/operations/change";
import {
  auditedUnit,
  sightingsOfChange,
  sightingsOfRemoval,
} from "@holdfast/server/resources/organizational-units/audited-unit";
import { emptyUnit, removeUnit } from "@holdfast/server/resources/organizational-units/empty-unit";
import { moveUnit } from "@holdfast/server/resources/organizational-units/move-unit";
import {
  createUnit,
  listUnits,
  renameUnit,
  requireUnit,
  type UnitRow,
} from "@holdfast/server/resources/organizational-units/store";
import { Refusal } from "@holdfast/server/settings/refusal";
import { Command } from "commander";
import { parseId, parseName } from "../argument-parsers";
import { type OpenedForCommand, openForCommand, openOrMakeForCommand } from "../open-for-command";
import { formatJson, formatMoment, formatTable, printResult } from "../output";
import { recordCommand } from "../record-command";
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
    .action(({ name, parent = rootUnitId }: { name: string; parent?: string }) =>
      openOrMakeForCommand(command, async (opened) => {
        const { database, now } = opened;
        const id = await database.change(async (db) => {
          const created = await createUnit(db, { name, parentId: parent, createdAt: now });
          const after = auditedUnit(await requireUnit(db, created));
          await tell(db, opened, { verb: "create", id: created }, [{ unitId: parent, after }]);
          return created;
        });
        printResult(id);
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

function renameCommand(): Command {
  const command = new Command("rename")
    .description("Give an organizational unit another name.")
    .argument("<id>", "The unit.", parseId)
    .requiredOption("--name <name>", "What people are to call it.", parseName)
    .action((id: string, { name }: { name: string }) =>
      openForCommand(command, (opened) =>
        opened.database.change(async (db) => {
          const before = await requireUnit(db, id);
          await renameUnit(db, { id, parentId: before.parent_id }, name);
          const seen = await sightingsOfChange(db, before, await requireUnit(db, id));
          await tell(db, opened, { verb: "update", id }, seen);
        }),
      ),
    );
  return addSettingOptions(command);
}

function moveCommand(): Command {
  const command = new Command("move")
    .description("Put an organizational unit, with everything below it, below another one.")
    .argument("<id>", "The unit.", parseId)
    .requiredOption("--parent <id>", "The unit that it is to be below.", parseId)
    .action((id: string, { parent }: { parent: string }) =>
      openForCommand(command, (opened) =>
        opened.database.change(async (db) => {
          const before = await requireUnit(db, id);
          const { parent_id: from, name } = before;
          await requireUnit(db, parent);
          if (from === null) throw new Refusal("The root cannot be moved. Move the units below it.");
          if (from !== parent) await moveUnit(db, { id, parentId: from, name }, parent, opened.now);
          const seen = await sightingsOfChange(db, before, await requireUnit(db, id));
          await tell(db, opened, { verb: "update", id }, seen);
        }),
      ),
    );
  return addSettingOptions(command);
}

function deleteCommand(): Command {
  const command = new Command("delete")
    .description("Delete an organizational unit that is empty, or whose contents are moved to another.")
    .argument("<id>", "The unit.", parseId)
    .option("--move-to <id>", "The unit that everything in it is moved to.", parseId)
    .action((id: string, { moveTo }: { moveTo?: string }) =>
      openForCommand(command, (opened) =>
        opened.database.change(async (db) => {
          const unit = await requireUnit(db, id);
          const { parent_id: parentId } = unit;
          if (parentId === null) throw new Refusal("The root cannot be deleted.");
          if (moveTo !== undefined) {
            await requireUnit(db, moveTo);
            await emptyUnit(db, { id, parentId }, moveTo, opened.now);
          }
          await removeUnit(db, { id, parentId }, opened.now);
          const seen = await sightingsOfRemoval(db, { ...unit, parent_id: parentId }, moveTo);
          await tell(db, opened, { verb: "delete", id }, seen);
        }),
      ),
    );
  return addSettingOptions(command);
}

/** Tells the audit trail what was done to a unit, once for each place that it is seen from. */
async function tell(
  db: Queries,
  opened: OpenedForCommand,
  { verb, id }: { verb: "create" | "update" | "delete"; id: string },
  seen: readonly AuditView[],
): Promise<void> {
  const object = { type: "organizational-unit", id };
  for (const one of seen) await recordCommand(db, opened, { operation: `${verb}-organizational-unit`, object, ...one });
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
