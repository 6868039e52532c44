import { useEffect } from "react";

/** The forms with something in them that is not saved. */
const forms = new Set<object>();

/** Notes that a form has something that is not saved, until the returned function is called. */
function noteUnsaved(): () => void {
  const form = {};
  forms.add(form);
  return () => forms.delete(form);
}

/** True if leaving this tab would lose something that was typed. */
export function hasUnsaved(): boolean {
  return forms.size > 0;
}

/** Notes a form with something unsaved, so that nothing loads the page again by itself. */
export function useUnsaved(isDirty: boolean): void {
  useEffect(() => (isDirty ? noteUnsaved() : undefined), [isDirty]);
}

/** Lets the browser ask before it leaves a page with something unsaved. */
export function followUnsaved(): void {
  addEventListener("beforeunload", (event) => {
    if (hasUnsaved()) event.preventDefault();
  });
}
