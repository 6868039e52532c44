import { Button, TextInput } from "@mantine/core";
import { useRef, useState } from "react";

/**
 * Copies text, and says whether that worked. On plain http there is no clipboard for pages: the field is selected and copied
 * as by hand.
 */
async function copyText(text: string, field: HTMLInputElement | HTMLTextAreaElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field?.focus();
    field?.select();
    return field !== null && document.execCommand("copy");
  }
}

export interface CopyFieldProps {
  label: string;
  value: string;
  button: string;
  onCopied?: () => void;
}

/** A text to copy, with a button that says truthfully whether it was. */
export function CopyField({ label, value, button, onCopied }: CopyFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState("");
  const copy = async () => {
    const isCopied = await copyText(value, field.current);
    setSaid(isCopied ? "Copied" : "Press Ctrl+C to copy");
    if (isCopied) onCopied?.();
  };
  return (
    <div className="stack-small">
      <div className="copy-field">
        <TextInput ref={field} label={label} value={value} readOnly onFocus={({ target }) => target.select()} />
        <Button variant="default" onClick={copy}>
          {button}
        </Button>
      </div>
      <span role="status" className="small soft">
        {said}
      </span>
    </div>
  );
}

/** A button that copies a text which stands beside it. */
export function CopyButton({ text, name = "Copy" }: { text: string; name?: string }) {
  const hidden = useRef<HTMLTextAreaElement>(null);
  const [said, setSaid] = useState("");
  const copy = async () => setSaid((await copyText(text, hidden.current)) ? "Copied" : "Select it and press Ctrl+C");
  return (
    <span className="copy-button">
      <textarea ref={hidden} className="visually-hidden" aria-hidden="true" tabIndex={-1} readOnly value={text} />
      <span role="status" className="small soft">
        {said}
      </span>
      <Button variant="default" size="xs" onClick={copy}>
        {name}
      </Button>
    </span>
  );
}
