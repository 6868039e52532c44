import { Checkbox, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ChangedMeanwhile } from "../../components/changed-meanwhile";
import { ConfirmDialog } from "../../components/dialogs";
import { showNotice } from "../../components/notices";
import { UnitSelect } from "../../components/unit-select";
import { Untrusted } from "../../components/untrusted";
import { useChange } from "../../data/change";
import { nameOf, type Unit } from "../../data/names";
import { queryKey } from "../../data/query-keys";
import { useSaving } from "../../data/saving";
import { useClient } from "../../data/unit";
import { counted } from "../../texts/numbers";

interface UnitDialogProps {
  unit: Unit;
  units: readonly Unit[];
  onClose: () => void;
  /** Called with the unit to show next. */
  onDone: (id: string) => void;
}

type UnitChange = { name: string } | { parent_id: string };

/** Edits a unit as it was when its dialog was opened. */
function useUnitEdit(unit: Unit, onSaved: () => void) {
  const client = useClient();
  const { data: opened } = useQuery({
    queryKey: queryKey(unit.id, "read-organizational-unit"),
    queryFn: ({ signal }) => client.organizationalUnits.read(unit.id, { signal }),
    structuralSharing: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  const { save, ...saving } = useSaving({
    send: (change: UnitChange, ifMatch) => client.organizationalUnits.update(unit.id, change, { ifMatch }),
    read: () => client.organizationalUnits.read(unit.id),
    onSaved,
  });
  return { ...saving, save: (change: UnitChange, from = opened ?? unit) => save(change, from) };
}

function UnitConflict({
  edit: { conflict, isPending, save, forget },
  units,
  onClose,
}: {
  edit: ReturnType<typeof useUnitEdit>;
  units: readonly Unit[];
  onClose: () => void;
}) {
  if (!conflict) return null;
  const factsOf = ({ name, parent_id }: Unit) => ({ Name: name, Below: nameOf(units, parent_id) });
  return (
    <ChangedMeanwhile
      what="unit"
      theirs={factsOf(conflict.theirs)}
      mine={factsOf({ ...conflict.theirs, ...conflict.mine })}
      isBusy={isPending}
      onTake={onClose}
      onSave={() => save(conflict.mine, conflict.theirs)}
      onClose={forget}
    />
  );
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
      isDirty={name !== ""}
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

export function RenameUnit({ unit, units, onClose }: UnitDialogProps) {
  const [name, setName] = useState(unit.name);
  const edit = useUnitEdit(unit, onClose);
  if (edit.conflict) return <UnitConflict edit={edit} units={units} onClose={onClose} />;
  return (
    <ConfirmDialog
      title="Rename unit"
      isOpen
      isDirty={name !== unit.name}
      onClose={onClose}
      confirm="Rename unit"
      isBusy={edit.isPending}
      isDisabled={name.trim() === "" || name.trim() === unit.name}
      error={edit.error}
      onConfirm={() => edit.save({ name: name.trim() })}
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
  const [parentId, setParentId] = useState(unit.parent_id ?? "");
  const inside = unitsInside(units, unit.id);
  const parentName = nameOf(units, parentId);
  const edit = useUnitEdit(unit, () => {
    onClose();
    showNotice(`${unit.name} is below ${parentName} now.`);
  });
  if (edit.conflict) return <UnitConflict edit={edit} units={units} onClose={onClose} />;
  return (
    <ConfirmDialog
      title="Move this unit?"
      isOpen
      onClose={onClose}
      confirm="Move unit"
      isBusy={edit.isPending}
      isDisabled={parentId === unit.parent_id}
      error={edit.error}
      onConfirm={() => edit.save({ parent_id: parentId })}
    >
      <UnitSelect label="New parent" value={parentId} onChange={setParentId} without={inside} />
      {parentId === unit.parent_id && (
        <p>
          <Untrusted text={unit.name} /> is below <Untrusted text={parentName} /> now. Choose where it goes.
        </p>
      )}
      <p hidden={parentId === unit.parent_id}>
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
    units.filter((unit) => unit.id === id || unit.ancestors.some((above) => above.id === id)).map((unit) => unit.id),
  );
}
