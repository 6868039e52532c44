import { Modal, TextInput } from "@mantine/core";
import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { Icon } from "../components/icons";
import { showNotice } from "../components/notices";
import { SafeText } from "../components/safe-text";
import { SkeletonRows } from "../components/states";
import { buildTree, UnitTree } from "../components/unit-tree";
import { unitsQuery } from "../data/names";
import { callerQuery, discoveryQuery, offers, useCaller } from "../data/rights";
import { useSession } from "../data/session";
import { useUnitId } from "../data/unit";
import { useUnitForest } from "../data/unit-forest";
import { isOffered, pageAt } from "../pages/pages";
import { firstLine, visibleText } from "../texts/foreign-text";

/** For so many units with a role it is found out what is below them; of more, these alone are offered. */
const maxTopUnits = 20;

/** Which unit this page is about, and a dialog to switch it. The address keeps it, so two tabs do not disturb each other. */
export function UnitSwitcher() {
  const [isOpen, setOpen] = useState(false);
  const { data: caller } = useCaller();
  const name = visibleText(firstLine(caller?.organizational_unit.name ?? "", 60));
  const switchTo = useSwitchTo();
  const isOnly = useIsOnlyUnit();
  if (!caller) return null;
  if (isOnly) return <bdi className="header-unit clip">{name}</bdi>;
  return (
    <>
      <button
        type="button"
        className="header-button header-button-outlined"
        aria-label={`Organizational unit: ${name}`}
        onClick={() => setOpen(true)}
      >
        <bdi className="clip">{name}</bdi>
        <Icon name="down" size={14} />
      </button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Switch organizational unit">
        <SwitchTree
          onChoose={(id, chosen) => {
            setOpen(false);
            void switchTo(id, chosen);
          }}
        />
      </Modal>
    </>
  );
}

/** True if there is nothing to switch to, as far as that is known without asking. */
function useIsOnlyUnit(): boolean {
  const { organizational_units } = useSession();
  const { data: caller } = useCaller();
  const mayList = caller?.permissions.includes("organizational-units:read") ?? true;
  const { data: units } = useQuery({ ...unitsQuery(undefined), enabled: false });
  return organizational_units.length === 1 && (!mayList || units?.total_count === 1);
}

/** Leads to another unit: to the same page with the same filters, or to the overview where that page is not allowed. */
function useSwitchTo() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { organizational_unit_id: defaultUnit } = useSession();
  const search = useSearch({ strict: false });
  const { pathname } = useLocation();
  const current = useUnitId();
  return async (id: string, name: string) => {
    if (id === current) return;
    const unit = id === defaultUnit ? undefined : id;
    // The number of a page and the item of another unit mean nothing there.
    const { page: _, selected: __, item_id: ___, id: ____, ...kept } = { ...noPlace, ...search };
    const page = pageAt(pathname);
    const isItem = page !== undefined && page.path !== pathname;
    const [index, caller] = await Promise.all([
      queryClient.fetchQuery(discoveryQuery(unit)),
      queryClient.fetchQuery(callerQuery(unit)),
    ]).catch(() => [undefined, undefined]);
    if (page && page.path !== "/" && index && caller && !isOffered(page, index, caller.permissions)) {
      showNotice(`${page.name} cannot be opened in ${name}: your role there does not include it.`);
      await navigate({ to: "/", search: { unit } });
      return;
    }
    await navigate({ to: isItem ? page.path : ".", search: { ...(isItem ? {} : kept), unit } });
  };
}

const noPlace = { page: undefined, selected: undefined, item_id: undefined, id: undefined };

function SwitchTree({ onChoose }: { onChoose: (id: string, name: string) => void }) {
  const [typed, setTyped] = useState("");
  const current = useUnitId();
  const { units, isPartial, isPending, open } = useSwitchableUnits(typed);
  const isSearching = typed.trim() !== "";
  const tree = useMemo(() => buildTree(units, typed), [units, typed]);
  return (
    <div className="stack">
      <TextInput
        type="search"
        aria-label="Find a unit"
        placeholder="Find a unit"
        data-autofocus
        leftSection={<Icon name="search" size={16} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className="tree-frame">
        {isPending && <SkeletonRows count={2} />}
        {tree.length === 0 && <p className="soft">No unit has that name.</p>}
        <UnitTree
          tree={tree}
          isAllOpen={isSearching}
          selected={current}
          onSelect={(id) => onChoose(id, units.find((unit) => unit.id === id)?.name ?? id)}
          onOpen={isPartial ? open : undefined}
          label={(name) => <SafeText text={name} />}
        />
      </div>
    </div>
  );
}

/** The units that a person holds a role in, and those below them, where these may be seen. */
function useSwitchableUnits(typed: string) {
  const { organizational_units, organizational_unit_id: defaultUnit } = useSession();
  const tops = organizational_units.map(({ organizational_unit_id: id }) => ({
    id,
    context: id === defaultUnit ? undefined : id,
  }));
  const asked = tops.length > maxTopUnits ? [] : tops;
  const indexes = useQueries({ queries: asked.map(({ context }) => discoveryQuery(context)) });
  const forest = useUnitForest(
    asked.filter((_, at) => offers(indexes[at]?.data, "organizational-units", "list-organizational-units")),
    typed,
  );
  const known = new Set(forest.units.map(({ id }) => id));
  const alone = organizational_units
    .filter(({ organizational_unit_id: id }) => !known.has(id))
    .map(({ organizational_unit_id: id, name }) => ({ id, name, parent_id: null }));
  return { ...forest, units: [...forest.units, ...alone] };
}
