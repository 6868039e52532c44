import { Modal, TextInput } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { Icon } from "../components/icons";
import { buildTree, UnitTree } from "../components/unit-tree";
import { Untrusted } from "../components/untrusted";
import { type Unit, unitsQuery } from "../data/names";
import { useCaller } from "../data/rights";
import { useSession } from "../data/session";
import { useUnitId } from "../data/unit";
import { firstLine, visibleText } from "../texts/foreign-text";

/** Which unit this page is about, and a dialog to switch it. The address keeps it, so two tabs do not disturb each other. */
export function UnitSwitcher() {
  const [isOpen, setOpen] = useState(false);
  const { data: caller } = useCaller();
  const name = visibleText(firstLine(caller?.organizational_unit.name ?? "", 60));
  const units = useSwitchableUnits(isOpen);
  const unitId = useUnitId();
  const navigate = useNavigate();
  const { organizational_unit_id: usual, organizational_units } = useSession();
  const search = useSearch({ strict: false });
  const { pathname } = useLocation();
  if (!caller) return null;
  const isOnly = units.length === 1 && organizational_units.length === 1 && isOpen;
  const choose = (id: string) => {
    setOpen(false);
    if (id === unitId) return;
    // The number of a page and the item of another unit mean nothing there.
    const isItem = /^\/(tasks|entities|monitors|administration\/(users|roles))\/[^/]+$/.test(pathname);
    const { page: _, selected: __, ...kept } = { page: undefined, selected: undefined, ...search };
    void navigate({
      to: isItem ? pathname.replace(/\/[^/]+$/, "") : ".",
      search: { ...(isItem ? {} : kept), unit: id === usual ? undefined : id },
    });
  };
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
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Switch organizational unit"
        lockScroll={false}
        closeButtonProps={{ "aria-label": "Close" }}
        transitionProps={{ duration: 120 }}
      >
        <SwitchTree units={units} current={unitId} onChoose={choose} />
        {isOnly && <p className="soft small">This is the only unit in which you hold a role.</p>}
      </Modal>
    </>
  );
}

function SwitchTree({
  units,
  current,
  onChoose,
}: {
  units: readonly Pick<Unit, "id" | "name" | "parent_id">[];
  current: string | undefined;
  onChoose: (id: string) => void;
}) {
  const [typed, setTyped] = useState("");
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
        {tree.length === 0 && <p className="soft">No unit has that name.</p>}
        <UnitTree
          tree={tree}
          isAllOpen={typed !== ""}
          selected={current}
          onSelect={onChoose}
          label={(name) => <Untrusted text={name} />}
        />
      </div>
    </div>
  );
}

/** The units that a person holds a role in, and those below them, where these may be seen. */
function useSwitchableUnits(isWanted: boolean): Pick<Unit, "id" | "name" | "parent_id">[] {
  const { organizational_units, organizational_unit_id: usual } = useSession();
  const lists = useQueries({
    queries: organizational_units.map(({ organizational_unit_id: id }) => ({
      ...unitsQuery(id === usual ? undefined : id),
      enabled: isWanted,
    })),
  });
  const found = new Map<string, Pick<Unit, "id" | "name" | "parent_id">>();
  for (const { organizational_unit_id: id, name } of organizational_units) found.set(id, { id, name, parent_id: null });
  for (const { data } of lists) for (const unit of data?.items ?? []) found.set(unit.id, unit);
  return [...found.values()];
}
