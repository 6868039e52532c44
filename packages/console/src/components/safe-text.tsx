import { useState } from "react";
import { firstLine, visibleText } from "../texts/foreign-text";

/** Text from outside in one line: it cannot turn the text around it, nor be markup. */
export function SafeText({ text, maxLength }: { text: string; maxLength?: number }) {
  return <bdi dir="auto">{visibleText(firstLine(text, maxLength))}</bdi>;
}

const maxLines = 12;

/** Text from outside in full, with its lines. A long one is opened by a button. */
export function SafeTextBlock({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const lines = text.trimEnd().split(/\r?\n/);
  const isLong = lines.length > maxLines || text.length > 4_000;
  const shown = isOpen || !isLong ? text.trimEnd() : lines.slice(0, maxLines).join("\n").slice(0, 4_000);
  return (
    <div className="untrusted-block">
      <bdi dir="auto">{visibleText(shown)}</bdi>
      {isLong && (
        <button type="button" className="text-button" onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show less" : "Show all"}
        </button>
      )}
    </div>
  );
}
