import { Checkbox, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "../../components/dialogs";
import { EditConflict } from "../../components/edit-conflict";
import { showNotice } from "../../components/notices";
import { SafeText } from "../../components/safe-text";
import { UnitSelect } from "../../components/unit-select";
import { useApiForm } from "../../data/api-form";
import { useChange } from "../../data/change";
import { useConflictSafeSave } from "../../data/conflict-safe-save";
import { nameOf, type Unit } from "../../data/names";
import { queryKey } from "../../data/query-keys";
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

const labels = { name: "Name", parent_id: "New parent" };

/** Edits a unit as it was when its dialog was opened. */
function useUnitEdit({ unit, units, onClose }: UnitDialogProps, onSaved = onClose) {
  const client = useClient();
  const { data: opened = unit } = useQuery({
    queryKey: queryKey(unit.id, "read-organizational-unit"),
    queryFn: ({ signal }) => client.organizationalUnits.read(unit.id, { signal }),
    structuralSharing: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  const saving = useConflictSafeSave({
    send: (change: UnitChange, ifMatch) => client.organizationalUnits.update(unit.id, change, { ifMatch }),
    read: () => client.organizationalUnits.read(unit.id),
    onSaved,
  });
  const factsOf = ({ name, parent_id }: Unit) => ({ Name: name, Below: nameOf(units, parent_id) });
  return {
    ...saving,
    save: (change: UnitChange) => saving.save(change, opened),
    conflictDialog: saving.conflict && (
      <EditConflict
        what="unit"
        saving={saving}
        factsOf={factsOf}
        mine={(change, theirs) => factsOf({ ...theirs, ...change })}
        onTake={onClose}
      />
    ),
  };
}

export function CreateUnit({ unit, onClose, onDone }: UnitDialogProps) {
  const client = useClient();
  const create = useChange(
    ({ name }: { name: string }, idempotencyKey) =>
      client.organizationalUnits.create({ name, parent_id: unit.id }, { idempotencyKey }),
    ({ id }) => {
      onClose();
      onDone(id);
    },
  );
  const form = useApiForm({ values: { name: "" }, labels, error: create.error });
  return (
    <ConfirmDialog
      title="Create unit"
      isOpen
      isDirty={form.isDirty}
      onClose={onClose}
      confirm="Create unit"
      isBusy={create.isPending}
      isDisabled={form.values.name.trim() === ""}
      error={form.rest}
      onConfirm={form.send(create.mutate)}
    >
      <p>
        It will be directly below <SafeText text={unit.name} />.
      </p>
      <TextInput {...form.field("name")} data-autofocus maxLength={200} />
    </ConfirmDialog>
  );
}

export function RenameUnit(props: UnitDialogProps) {
  const { unit, onClose } = props;
  const edit = useUnitEdit(props);
  const form = useApiForm({ values: { name: unit.name }, labels, error: edit.error });
  if (edit.conflictDialog) return edit.conflictDialog;
  return (
    <ConfirmDialog
      title="Rename unit"
      isOpen
      isDirty={form.isDirty}
      onClose={onClose}
      confirm="Rename unit"
      isBusy={edit.isPending}
      isDisabled={form.values.name.trim() === "" || !form.isDirty}
      error={form.rest}
      onConfirm={form.send(edit.save)}
    >
      <TextInput {...form.field("name")} data-autofocus maxLength={200} />
    </ConfirmDialog>
  );
}

export function MoveUnit(props: UnitDialogProps) {
  const { unit, units, onClose } = props;
  const inside = unitsInside(units, unit.id);
  const edit = useUnitEdit(props, () => {
    onClose();
    showNotice(`${unit.name} is below ${parentName} now.`);
  });
  const form = useApiForm({ values: { parent_id: unit.parent_id ?? "" }, labels, error: edit.error });
  const parentName = nameOf(units, form.values.parent_id);
  if (edit.conflictDialog) return edit.conflictDialog;
  return (
    <ConfirmDialog
      title="Move this unit?"
      isOpen
      onClose={onClose}
      confirm="Move unit"
      isBusy={edit.isPending}
      isDisabled={!form.isDirty}
      error={form.rest}
      onConfirm={form.send(edit.save)}
    >
      <UnitSelect {...form.field("parent_id")} without={inside} />
      {form.isDirty ? (
        <p>
          Move <SafeText text={unit.name} /> with {counted(inside.size - 1, "unit")} below it to{" "}
          <SafeText text={parentName} />? Who holds a role in <SafeText text={parentName} /> then sees everything in it;
          roles that are held above its old place no longer count.
        </p>
      ) : (
        <p>
          <SafeText text={unit.name} /> is below <SafeText text={parentName} /> now. Choose where it goes.
        </p>
      )}
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
