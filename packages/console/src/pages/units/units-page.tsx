import { TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { ShowApiCall } from "../../components/api-call";
import { Icon } from "../../components/icons";
import { Page } from "../../components/page";
import { SafeText } from "../../components/safe-text";
import { ErrorState, SkeletonRows } from "../../components/states";
import { buildTree, UnitTree } from "../../components/unit-tree";
import { unitsQuery, useUnits } from "../../data/names";
import { useUnit, useUnitId } from "../../data/unit";
import { useUnitForest } from "../../data/unit-forest";
import { counted } from "../../texts/numbers";
import { UnitDetail } from "./unit-detail";

export function UnitsPage() {
  const unit = useUnit();
  const here = useUnitId();
  const navigate = useNavigate();
  const { selected = here }: { selected?: string | undefined } = useSearch({ strict: false });
  const [typed, setTyped] = useState("");
  const { data: page, error, refetch } = useQuery(unitsQuery(unit));
  const forest = useUnitForest([{ context: unit, id: here ?? "" }], typed);
  const tree = useMemo(() => buildTree(forest.units, typed), [forest.units, typed]);
  const units = useUnits([selected ?? null, here ?? null]);
  const chosen = units.find(({ id }) => id === selected) ?? units.find(({ id }) => id === here);
  const select = (id: string) =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, selected: id === here ? undefined : id }) });
  return (
    <Page
      title="Organizational units"
      actions={<ShowApiCall resource="organizational-units" path="/organizational-units" />}
    >
      {error && !page ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!page && !error && <SkeletonRows />}
      {page && (
        <div className="units-columns">
          <div className="panel stack-small">
            <TextInput
              type="search"
              aria-label="Find a unit"
              placeholder="Find a unit"
              leftSection={<Icon name="search" size={16} />}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            {forest.isPartial && (
              <p className="small soft">
                There are {counted(page.total_count, "unit")}. Open one to see what is below it, or find it by its name.
              </p>
            )}
            {tree.length === 0 && <p className="soft">No unit has that name.</p>}
            <UnitTree
              tree={tree}
              isAllOpen={typed.trim() !== ""}
              selected={chosen?.id}
              onSelect={select}
              onOpen={forest.isPartial ? forest.open : undefined}
              label={(name) => <SafeText text={name} />}
            />
          </div>
          {chosen && <UnitDetail unit={chosen} units={units} onSelect={select} key={chosen.id} />}
        </div>
      )}
    </Page>
  );
}
