import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { LastChange } from "../../components/last-change";
import { PermissionButton } from "../../components/permission-button";
import { SafeText } from "../../components/safe-text";
import { TimeText } from "../../components/time-text";
import { pathText, type Unit } from "../../data/names";
import { useSession } from "../../data/session";
import { visibleText } from "../../texts/foreign-text";
import { counted } from "../../texts/numbers";
import { CreateUnit, DeleteUnit, MoveUnit, RenameUnit } from "./unit-dialogs";

/** A unit: what is below it, and what can be done with it. */
export function UnitDetail({
  unit,
  units,
  onSelect,
}: {
  unit: Unit;
  units: readonly Unit[];
  onSelect: (id: string) => void;
}) {
  const [open, setOpen] = useState<"create" | "rename" | "move" | "delete">();
  const { organizational_unit_id: defaultUnit } = useSession();
  const isRoot = unit.parent_id === null;
  const there = { unit: unit.id === defaultUnit ? undefined : unit.id };
  const close = () => setOpen(undefined);
  const dialog = { unit, units, onClose: close, onDone: onSelect };
  return (
    <section className="panel stack" aria-label={visibleText(unit.name)}>
      <div>
        <h2>
          <SafeText text={unit.name} />
        </h2>
        {pathText(units, unit.id) !== unit.name && (
          <p className="soft">
            <SafeText text={pathText(units, unit.id)} />
          </p>
        )}
      </div>
      <p>
        {counted(unit.child_count, "unit")} directly below · created <TimeText at={unit.created_timestamp} isFull />
      </p>
      <LastChange kind="unit" id={unit.id} />
      <p className="row links">
        <Link to="/tasks" search={there}>
          Tasks here
        </Link>
        <Link to="/administration/users" search={{ held_in: unit.id }}>
          Users here
        </Link>
        <Link to="/administration/api-tokens" search={there}>
          Tokens here
        </Link>
        <Link to="/" search={there}>
          Switch to this unit
        </Link>
      </p>
      <div className="row">
        <PermissionButton permission="organizational-units:write" onClick={() => setOpen("create")}>
          Create unit
        </PermissionButton>
        <PermissionButton permission="organizational-units:write" variant="default" onClick={() => setOpen("rename")}>
          Rename
        </PermissionButton>
        {!isRoot && (
          <>
            <PermissionButton permission="organizational-units:write" variant="default" onClick={() => setOpen("move")}>
              Move…
            </PermissionButton>
            <PermissionButton
              permission="organizational-units:write"
              variant="default"
              className="danger"
              onClick={() => setOpen("delete")}
            >
              Delete
            </PermissionButton>
          </>
        )}
      </div>
      {open === "create" && <CreateUnit {...dialog} />}
      {open === "rename" && <RenameUnit {...dialog} />}
      {open === "move" && <MoveUnit {...dialog} />}
      {open === "delete" && <DeleteUnit {...dialog} />}
    </section>
  );
}
