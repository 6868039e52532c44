import type { Connection } from "../../connection/connection";
import { type ListFlags, pageSize } from "../../grammar/list-verb";
import { unitNames } from "../../lookups/names";
import type { Unit } from "../../lookups/units";
import { type ColumnSpec, columnsOf } from "../../output/columns";
import type { OutputFormat } from "../../output/output-format";
import { printItems } from "../../output/print-items";

export type TreeFlags = ListFlags & { search?: string };

/** A unit, and the lines that connect it with the units above it. */
type Branch = Unit & { lines: string };

/** Prints all units, each after the one that it is below: as a tree for people. Only a whole tree can be drawn. */
export async function drawTree(
  { client }: Connection,
  { search, limit }: TreeFlags,
  format: OutputFormat,
  columns: readonly ColumnSpec<Unit>[],
): Promise<boolean> {
  if (search !== undefined || limit !== undefined) return false;
  const units: Unit[] = [];
  for await (const unit of client.organizationalUnits.list({ limit: pageSize({}, "all") })) units.push(unit);
  const branches = inTreeOrder(units);
  const id = (unit: Unit) => unit.id;
  const drawn: ColumnSpec<Branch>[] = [{ name: "name", value: ({ lines, name }) => `${lines}${name}` }, "id"];
  const names = unitNames(client);
  if (format === "table") await printItems(format, branches, { id, columns: columnsOf(drawn, names) });
  else {
    const plain = branches.map(({ lines: _, ...unit }) => unit);
    await printItems(format, plain, { id, columns: columnsOf(columns, names) });
  }
  return true;
}

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
