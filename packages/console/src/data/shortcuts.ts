import { createStore } from "./store";

/** True if single keys do something: a choice of this browser, for those who type by voice. */
export const usesShortcuts = createStore(localStorage.getItem("holdfast-shortcuts") !== "no");

export function chooseShortcuts(isOn: boolean): void {
  localStorage.setItem("holdfast-shortcuts", isOn ? "yes" : "no");
  usesShortcuts.write(isOn);
}

const actions = new Map<string, () => void>();

/** Actions of single keys. They do nothing while something is typed, or while a dialog is open. */
export const shortcuts = {
  /** Lets a key do something until the returned function is called. */
  add(key: string, act: () => void): () => void {
    actions.set(key, act);
    return () => {
      if (actions.get(key) === act) actions.delete(key);
    };
  },
};

/** Follows the keyboard. */
export function followShortcuts(): void {
  addEventListener("keydown", (event) => {
    const { target, key } = event;
    const isTyping = target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    if (isTyping || hasModifier || !usesShortcuts.read() || document.querySelector('[aria-modal="true"]')) return;
    const act = actions.get(key);
    if (!act) return;
    event.preventDefault();
    act();
  });
}
