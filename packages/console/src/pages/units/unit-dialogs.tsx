import { etagOf } from "@holdfast/client";
import { Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "../../components/dialogs";
import { showNotice } from "../../components/notices";
import { UnitSelect } from "../../components/unit-select";
import { Untrusted } from "../../components/untrusted";
import { useChange } from "../../data/change";
import { nameOf, pathOf, type Unit } from "../../data/names";
import { useClient } from "../../data/unit";
import { counted } from "../../texts/numbers";

interface UnitDialogProps {
  unit: Unit;
  units: readonly Unit[];
  onClose: () => void;
  /** Called with the unit to show next. */
  onDone: (id: string) => void;
}

export function CreateUnit({ unit, onClose, onDone }: UnitDialogProps) {
  const client = useClient();
  const [name, setName] = useState("");
  const create = useChange(
    (_: undefined, idempotencyKey) =>
      client.organizationalUnits.create({ name: name.trim(), parent_id: unit.id }, { idempotencyKey }),
    ({ id }) => {
      onClose();
      onDone(id);
    },
  );
  return (
    <ConfirmDialog
      title="Create unit"
      isOpen
      onClose={onClose}
      confirm="Create unit"
      isBusy={create.isPending}
      isDisabled={name.trim() === ""}
      error={create.error}
      onConfirm={() => create.mutate(undefined)}
    >
      <p>
        It will be directly below <Untrusted text={unit.name} />.
      </p>
      <TextInput
        label="Name"
        data-autofocus
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}

export function RenameUnit({ unit, onClose }: UnitDialogProps) {
  const client = useClient();
  const [name, setName] = useState(unit.name);
  const rename = useChange(
    () => client.organizationalUnits.update(unit.id, { name: name.trim() }, { ifMatch: etagOf(unit) }),
    onClose,
  );
  return (
    <ConfirmDialog
      title="Rename unit"
      isOpen
      onClose={onClose}
      confirm="Rename unit"
      isBusy={rename.isPending}
      isDisabled={name.trim() === "" || name.trim() === unit.name}
      error={rename.error}
      onConfirm={() => rename.mutate(undefined)}
    >
      <TextInput
        label="Name"
        data-autofocus
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}

export function MoveUnit({ unit, units, onClose }: UnitDialogProps) {
  const client = useClient();
  const [parentId, setParentId] = useState(unit.parent_id ?? "");
  const inside = unitsInside(units, unit.id);
  const parentName = nameOf(units, parentId);
  const move = useChange(
    () => client.organizationalUnits.update(unit.id, { parent_id: parentId }, { ifMatch: etagOf(unit) }),
    () => {
      onClose();
      showNotice(`${unit.name} is below ${parentName} now.`);
    },
  );
  return (
    <ConfirmDialog
      title="Move this unit?"
      isOpen
      onClose={onClose}
      confirm="Move unit"
      isBusy={move.isPending}
      isDisabled={parentId === unit.parent_id}
      error={move.error}
      onConfirm={() => move.mutate(undefined)}
    >
      <UnitSelect label="New parent" value={parentId} onChange={setParentId} without={inside} />
      <p>
        Move <Untrusted text={unit.name} /> with {counted(inside.size - 1, "unit")} below it to{" "}
        <Untrusted text={parentName} />? Who holds a role in <Untrusted text={parentName} /> then sees everything in it;
        roles that are held above its old place no longer count.
      </p>
    </ConfirmDialog>
  );
}

export function DeleteUnit({ unit, units, onClose, onDone }: UnitDialogProps) {
  const client = useClient();
  const [moves, setMoves] = useState(false);
  const [target, setTarget] = useState(unit.parent_id ?? "");
  const remove = useChange(
    () => client.organizationalUnits.delete(unit.id, { moveTo: moves ? target : undefined }),
    () => {
      onClose();
      if (unit.parent_id) onDone(unit.parent_id);
    },
  );
  return (
    <ConfirmDialog
      title="Delete this unit?"
      isOpen
      onClose={onClose}
      confirm="Delete unit"
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined)}
    >
      <p>
        A unit that holds tasks, roles, tokens or units is kept, unless you say where they go. This cannot be undone.
      </p>
      <Checkbox
        label="Move what is in it to another unit"
        checked={moves}
        onChange={(event) => setMoves(event.currentTarget.checked)}
      />
      {moves && (
        <UnitSelect label="Move to" value={target} onChange={setTarget} without={unitsInside(units, unit.id)} />
      )}
    </ConfirmDialog>
  );
}

/** A unit and everything below it. */
function unitsInside(units: readonly Unit[], id: string): Set<string> {
  return new Set(
    units.filter((unit) => pathOf(units, unit.id).some((above) => above.id === id)).map((unit) => unit.id),
  );
}
