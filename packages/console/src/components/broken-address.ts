import { useEffect } from "react";
import { showNotice } from "./notices";

/** Takes what cannot be read out of an address, and says so. */
export function useBrokenNotice(broken: readonly string[], drop: (changes: Record<string, undefined>) => void): void {
  const text = broken.join(", ");
  useEffect(() => {
    if (text === "") return;
    showNotice(`The address had a filter that cannot be read (${text}). It was left out.`, { stays: true });
    drop(Object.fromEntries(text.split(", ").map((name) => [name, undefined])));
  }, [text, drop]);
}
