import { Button, Checkbox, Modal } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { useUnsaved } from "../data/unsaved";
import { CopyField } from "./copy";
import { ErrorState } from "./states";

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  size?: string;
  /** True if only what is in it closes it. */
  isFixed?: boolean;
  /** True if something in it is not saved: closing it then asks first. */
  isDirty?: boolean;
  children: ReactNode;
}

/**
 * Returns the focus to where it was when a dialog opened. The library does that only for dialogs that stay on the page when they are
 * closed; most of ours leave it, with what was typed in them.
 */
function useReturnedFocus(isOpen: boolean): void {
  // The dialog takes the focus in an effect of its own, which comes before those of this component.
  const [opener, setOpener] = useState<Element | null>(null);
  if (isOpen && opener === null) setOpener(document.activeElement);
  useEffect(() => {
    if (!isOpen) return;
    return () => {
      setOpener(null);
      // An action that closed the dialog may lead elsewhere, to another dialog or page, which then has the focus.
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus();
      });
    };
  }, [isOpen, opener]);
}

/** A dialog, named by its heading. */
export function Dialog(props: DialogProps) {
  const { title, isOpen, onClose, size = "md", isFixed = false, isDirty = false, children } = props;
  const [isAsking, setAsking] = useState(false);
  const stays = isFixed || isAsking;
  useReturnedFocus(isOpen);
  // A value that is shown only once would be lost, too.
  useUnsaved(isOpen && (isDirty || isFixed));
  return (
    <Modal
      opened={isOpen}
      onClose={isDirty ? () => setAsking(true) : onClose}
      title={title}
      size={size}
      returnFocus={false}
      withCloseButton={!isFixed}
      closeOnEscape={!stays}
      closeOnClickOutside={!stays}
      trapFocus={!isAsking}
    >
      {children}
      {isAsking && (
        <ConfirmDialog
          title="Close without saving?"
          isOpen
          onClose={() => setAsking(false)}
          confirm="Discard"
          cancel="Keep editing"
          isDangerous
          onConfirm={() => {
            setAsking(false);
            onClose();
          }}
        >
          <p>What you have typed is not saved.</p>
        </ConfirmDialog>
      )}
    </Modal>
  );
}

export interface DialogFormProps {
  /** Label of the button that does it. */
  confirm: string;
  cancel?: string;
  isDangerous?: boolean;
  isBusy?: boolean;
  isDisabled?: boolean;
  error?: unknown;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Fields of a dialog, and the buttons below them, which stay in sight. */
export function DialogForm(props: DialogFormProps) {
  const { confirm, cancel = "Cancel", isDangerous = false, isBusy = false, isDisabled = false, error } = props;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        props.onConfirm();
      }}
    >
      {props.children}
      {error ? <ErrorState error={error} /> : null}
      <div className="dialog-buttons">
        <Button variant="default" onClick={props.onClose}>
          {cancel}
        </Button>
        <Button type="submit" className={isDangerous ? "danger" : ""} loading={isBusy} disabled={isDisabled}>
          {confirm}
        </Button>
      </div>
    </form>
  );
}

/** Asks before something is done, or for what is needed to do it. */
export function ConfirmDialog(props: DialogProps & DialogFormProps) {
  return (
    <Dialog {...props}>
      <DialogForm {...props} />
    </Dialog>
  );
}

export interface OnceDialogProps {
  title: string;
  /** Name of the value that is shown only once: `Token`. */
  label: string;
  value: string;
  copyButton: string;
  /** Confirmation by the person: `I have stored this token`. */
  stored: string;
  onDone: () => void;
  children?: ReactNode;
}

/** Shows a secret, this once. Nothing but its button closes it, once the secret was copied or stored. */
export function OnceDialog({ title, label, value, copyButton, stored, onDone, children }: OnceDialogProps) {
  const [isCopied, setCopied] = useState(false);
  const [isStored, setStored] = useState(false);
  return (
    <Dialog title={title} isOpen onClose={() => {}} size="lg" isFixed>
      <div className="stack">
        <p>It is shown only once. Copy it now, and keep it where only those who need it can see it.</p>
        <CopyField label={label} value={value} button={copyButton} onCopied={() => setCopied(true)} />
        {children}
        <div className="spread">
          <Checkbox label={stored} checked={isStored} onChange={(event) => setStored(event.currentTarget.checked)} />
          <Button disabled={!isCopied && !isStored} onClick={onDone}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
