import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { nameAbove, type Unit, useUnits } from "../data/names";
import { useCaller, useMay } from "../data/rights";
import { useUnit, useUnitId } from "../data/unit";
import { type TreeUnit, useUnitForest } from "../data/unit-forest";
import { visibleText } from "../texts/foreign-text";
import type { ChoiceProps } from "./role-select";
import { buildTree, type TreeNode } from "./unit-tree";

export interface UnitSelectProps extends ChoiceProps {
  /** Units that cannot be chosen. */
  without?: ReadonlySet<string>;
}

/** Chooses a unit: the one of this page, or one below it. */
export function UnitSelect({ onChange, without = new Set(), ...props }: UnitSelectProps) {
  const { value } = props;
  const [typed, setTyped] = useState("");
  const unit = useUnit();
  const here = useUnitId() ?? "";
  const known = useUnits([value === "" ? null : value]);
  const mayList = useMay("organizational-units:read");
  const own = useCaller().data?.organizational_unit;
  const { units: found, isPartial } = useUnitForest(mayList ? [{ context: unit, id: here }] : [], typed);
  const chosen = known.filter(({ id }) => id === value);
  const listed = isPartial ? [...new Map([...found, ...chosen].map((one) => [one.id, one])).values()] : known;
  const options = listed.length === 0 && own ? [{ ...own, parent_id: null }] : listed;
  return (
    <div className="stack-small">
      {isPartial && (
        <TextInput
          type="search"
          aria-label={`Find: ${props["aria-label"] ?? props.label}`}
          placeholder="Find a unit by its name"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <NativeSelect
        {...props}
        data={unitOptions(options, known).filter(({ value: id }) => !without.has(id))}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}

/** Units in the order of the tree, with what is below another moved in. */
function unitOptions(units: readonly TreeUnit[], known: readonly Unit[]): { value: string; label: string }[] {
  const above = (id: string) => nameAbove(known, id);
  // Closed, the field shows the name alone, without the tree around it.
  const nameIn = (id: string, name: string) => (above(id) === undefined ? name : `${name}, ${above(id)}`);
  const walk = (nodes: readonly TreeNode[], level: number): { value: string; label: string }[] =>
    nodes.flatMap(({ id, name, children }) => [
      { value: id, label: `${"\u2003".repeat(level)}${visibleText(nameIn(id, name)).slice(0, 80)}` },
      ...walk(children, level + 1),
    ]);
  return walk(buildTree(units), 0);
}
