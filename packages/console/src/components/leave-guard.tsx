import { useBlocker } from "@tanstack/react-router";
import { useUnsaved } from "../data/unsaved";
import { ConfirmDialog } from "./dialogs";

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
      isDangerous
      onConfirm={() => blocker.proceed?.()}
    >
      <p>What you have changed on this page is not saved.</p>
    </ConfirmDialog>
  );
}
