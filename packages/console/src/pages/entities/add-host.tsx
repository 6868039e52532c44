import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { Dialog, DialogForm } from "../../components/dialogs";
import { FirstTask } from "../../components/first-task";
import { UnitSelect } from "../../components/unit-select";
import { useUnitId } from "../../data/unit";

/** Says what to run on a host so that its backups are reported. */
export function AddHost({ onClose }: { onClose: () => void }) {
  const here = useUnitId() ?? "";
  const [unitId, setUnitId] = useState(here);
  const [name, setName] = useState("");
  const [host, setHost] = useState<string>();
  return (
    <Dialog
      title="Add a host"
      isOpen
      onClose={onClose}
      size="lg"
      isDirty={name !== ""}
      // A token that is made there is shown once.
      isFixed={host !== undefined}
    >
      {host === undefined ? (
        <DialogForm confirm="Continue" onConfirm={() => setHost(name.trim())} onClose={onClose}>
          <TextInput
            label="Name"
            description="As people know it: web-01."
            required
            data-autofocus
            maxLength={180}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <UnitSelect label="Organizational unit" value={unitId} onChange={setUnitId} />
        </DialogForm>
      ) : (
        <div className="stack">
          <p>Run one of these on the host. It is listed once its first backup is reported.</p>
          <FirstTask host={host} unitId={unitId} />
          <div className="dialog-buttons">
            <Button onClick={onClose}>Done</Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
