import { NativeSelect } from "@mantine/core";
import type { ReactNode } from "react";
import { type Unit, useUnits } from "../data/names";
import { visibleText } from "../texts/foreign-text";
import { buildTree, type TreeNode } from "./unit-tree";

export interface UnitSelectProps {
  label: string;
  value: string;
  onChange: (id: string) => void;
  /** Units that cannot be chosen. */
  without?: ReadonlySet<string>;
  error?: ReactNode;
  isLabelHidden?: boolean;
}

/** Chooses a unit: the one of this page, or one below it. */
export function UnitSelect({
  label,
  value,
  onChange,
  without = new Set(),
  error,
  isLabelHidden = false,
}: UnitSelectProps) {
  const units = useUnits();
  return (
    <NativeSelect
      {...(isLabelHidden ? { "aria-label": label } : { label })}
      error={error}
      value={value}
      data={unitOptions(units).filter(({ value: id }) => !without.has(id))}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Units in the order of the tree, with what is below another moved in. */
function unitOptions(units: readonly Unit[]): { value: string; label: string }[] {
  const walk = (nodes: readonly TreeNode[], level: number): { value: string; label: string }[] =>
    nodes.flatMap(({ id, name, children }) => [
      { value: id, label: `${"\u2003".repeat(level)}${visibleText(name).slice(0, 80)}` },
      ...walk(children, level + 1),
    ]);
  return walk(buildTree(units), 0);
}
