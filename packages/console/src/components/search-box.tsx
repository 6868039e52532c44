import { TextInput } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { shortcuts } from "../data/shortcuts";
import { Icon } from "./icons";

/** Delay between the last key and the search, in milliseconds. */
const pause = 200;

/** A field to search by name. What is typed counts after a moment; `/` leads here. */
export function SearchBox({
  label,
  value,
  onSearch,
}: {
  label: string;
  value: string | undefined;
  onSearch: (text: string | undefined) => void;
}) {
  const [typed, setTyped] = useState(value ?? "");
  const known = useRef(value ?? "");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if ((value ?? "") === known.current) return;
    known.current = value ?? "";
    setTyped(value ?? "");
  }, [value]);
  useEffect(() => {
    if (typed === known.current) return;
    const timer = setTimeout(() => {
      known.current = typed;
      onSearch(typed === "" ? undefined : typed);
    }, pause);
    return () => clearTimeout(timer);
  }, [typed, onSearch]);
  useEffect(() => shortcuts.add("/", () => field.current?.focus()), []);
  return (
    <TextInput
      ref={field}
      className="search"
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<Icon name="search" size={16} />}
      value={typed}
      onKeyDown={toFirstRow}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

/** The arrow down leads from the search into what it has found. */
function toFirstRow(event: KeyboardEvent): void {
  const row = event.key === "ArrowDown" && document.querySelector<HTMLElement>("main tbody :is(a, button)");
  if (!row) return;
  event.preventDefault();
  row.focus();
}
