import { useBlocker } from "@tanstack/react-router";
import { useEffect } from "react";
import { noteUnsaved } from "../data/unsaved";
import { ConfirmDialog } from "./dialogs";

/** Notes a form of a dialog that has something unsaved, so that nothing loads the page again by itself. */
export function useUnsaved(isDirty: boolean): void {
  useEffect(() => (isDirty ? noteUnsaved() : undefined), [isDirty]);
}

/** Asks before a page is left on which something is not saved. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    disabled: !isDirty,
    enableBeforeUnload: false,
    withResolver: true,
  });
  useUnsaved(isDirty && blocker.status !== "blocked");
  return (
    <ConfirmDialog
      title="Leave without saving?"
      isOpen={blocker.status === "blocked"}
      onClose={() => blocker.reset?.()}
      confirm="Leave"
      cancel="Stay"
      isBusy={false}
      error={undefined}
      onConfirm={() => blocker.proceed?.()}
    >
      <p>What you have changed on this page is not saved.</p>
    </ConfirmDialog>
  );
}
