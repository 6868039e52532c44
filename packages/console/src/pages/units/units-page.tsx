import { TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { ShowApiCall } from "../../components/api-call";
import { Icon } from "../../components/icons";
import { Page } from "../../components/page";
import { ErrorState, SkeletonRows } from "../../components/states";
import { buildTree, UnitTree } from "../../components/unit-tree";
import { Untrusted } from "../../components/untrusted";
import { unitsQuery } from "../../data/names";
import { offers, useDiscovery } from "../../data/rights";
import { useUnit, useUnitId } from "../../data/unit";
import { Forbidden } from "../../shell/no-rights";
import { counted } from "../../texts/numbers";
import { UnitDetail } from "./unit-detail";

export function UnitsPage() {
  const { data: index } = useDiscovery();
  return offers(index, "organizational-units", "list-organizational-units") ? (
    <UnitsInTree />
  ) : (
    <Forbidden title="Organizational units" permission="organizational-units:read" />
  );
}

function UnitsInTree() {
  const unit = useUnit();
  const here = useUnitId();
  const navigate = useNavigate();
  const { selected = here }: { selected?: string | undefined } = useSearch({ strict: false });
  const [typed, setTyped] = useState("");
  const { data: page, error, refetch } = useQuery(unitsQuery(unit));
  const tree = useMemo(() => buildTree(page?.items ?? [], typed), [page, typed]);
  const chosen = page?.items.find(({ id }) => id === selected) ?? page?.items.find(({ id }) => id === here);
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
            {page.total_count > page.items.length && (
              <p className="small soft">
                The first {counted(page.items.length, "unit")} are shown. Switch to a unit below to see the rest.
              </p>
            )}
            {tree.length === 0 && <p className="soft">No unit has that name.</p>}
            <UnitTree
              tree={tree}
              isAllOpen={typed !== ""}
              selected={chosen?.id}
              onSelect={select}
              label={(name) => <Untrusted text={name} />}
            />
          </div>
          {chosen && <UnitDetail unit={chosen} units={page.items} onSelect={select} key={chosen.id} />}
        </div>
      )}
    </Page>
  );
}
