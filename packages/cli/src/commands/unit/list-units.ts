import type { Command } from "commander";
import { type ListFlags, listVerb, pageSize } from "../../grammar/list-verb";
import { pathOf, type Unit } from "../../lookups/units";
import { type ItemShape, printItems } from "../../output/print-items";

/** A unit, and the lines that connect it with the units above it. */
type Branch = Unit & { lines: string };

/** Lists units as a tree, each after the one that it is below. */
export function listUnits(): Command {
  return listVerb<Unit, ListFlags, Unit>({
    description: "Draw the tree of organizational units.",
    usualLimit: "all",
    searches: "their names",
    examples: ["holdfast unit", "holdfast unit list --search lab", "holdfast unit list --unit Berlin -o json"],
    list: (client, flags) =>
      client.organizationalUnits.list({
        limit: pageSize(flags, "all"),
        ...(flags.search === undefined ? {} : { filter: { name: { $contains: flags.search } } }),
      }),
    rows: (units) => units,
    shape: () => flatShape,
    async instead({ client }, flags, format) {
      // Only a whole tree can be drawn.
      if (flags.search !== undefined || flags.limit !== undefined) return false;
      const units: Unit[] = [];
      for await (const unit of client.organizationalUnits.list({ limit: pageSize(flags, "all") })) units.push(unit);
      const branches = inTreeOrder(units);
      if (format === "table") await printItems(format, branches, treeShape);
      else
        await printItems(
          format,
          branches.map(({ lines: _, ...unit }) => unit),
          flatShape,
        );
      return true;
    },
  });
}

const id = ({ id }: Unit) => id;
const idColumn = { name: "id", title: "ID", value: id };

const treeShape: ItemShape<Branch> = {
  id,
  columns: [{ name: "name", title: "NAME", value: ({ lines, name }) => `${lines}${name}`, canShrink: true }, idColumn],
};

const flatShape: ItemShape<Unit> = {
  id,
  columns: [
    { name: "path", title: "NAME", value: pathOf, canShrink: true },
    idColumn,
    { name: "name", title: "", value: ({ name }) => name, isHidden: true },
    { name: "parent_id", title: "", value: ({ parent_id }) => parent_id ?? "", isHidden: true },
    { name: "created_timestamp", title: "", value: ({ created_timestamp }) => created_timestamp, isHidden: true },
  ],
};

function inTreeOrder(units: readonly Unit[]): Branch[] {
  const known = new Set(units.map((unit) => unit.id));
  const parentOf = ({ parent_id }: Unit) => (parent_id !== null && known.has(parent_id) ? parent_id : null);
  const below = Map.groupBy(units, parentOf);
  const branchesBelow = (parentId: string | null, indent: string): Branch[] => {
    const siblings = below.get(parentId) ?? [];
    return siblings.flatMap((unit, index) => {
      if (parentId === null) return [{ ...unit, lines: "" }, ...branchesBelow(unit.id, "")];
      const isLast = index === siblings.length - 1;
      return [
        { ...unit, lines: `${indent}${isLast ? "└─ " : "├─ "}` },
        ...branchesBelow(unit.id, `${indent}${isLast ? "   " : "│  "}`),
      ];
    });
  };
  return branchesBelow(null, "");
}
