import type { Task } from "@holdfast/client";
import { TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "../../components/dialogs";
import { SafeText } from "../../components/safe-text";
import { queryKey } from "../../data/query-keys";
import { useClient, useUnit } from "../../data/unit";

/** Asks whether a task is to be aborted, and says what that does. */
export function AbortDialog({ task, isOpen, onClose }: { task: Task; isOpen: boolean; onClose: () => void }) {
  const client = useClient();
  const unit = useUnit();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState("");
  const abort = useMutation({
    mutationFn: () => client.tasks.abort(task.id, reason.trim() === "" ? undefined : reason.trim()),
    onSuccess: (changed) => {
      queryClient.setQueryData(queryKey(unit, "read-task", task.id), changed);
      onClose();
    },
  });
  const host = task.runner?.host ?? task.primary_entity?.value;
  return (
    <ConfirmDialog
      title="Abort this task?"
      isOpen={isOpen}
      isDirty={reason !== ""}
      onClose={onClose}
      confirm="Abort task"
      cancel="Keep running"
      isDangerous
      isBusy={abort.isPending}
      error={abort.error}
      onConfirm={() => abort.mutate(undefined)}
    >
      {task.status === "queued" ? (
        <p>It has not begun, so it ends at once and does not run.</p>
      ) : (
        <p>
          This asks the runner{host && " on "}
          {host && <SafeText text={host} maxLength={80} />} to stop. What is stored so far stays. The task says when it
          has stopped.
        </p>
      )}
      <TextInput
        label="Reason"
        description="Optional. It is shown with the task and in the audit trail."
        maxLength={200}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
