import { createStore, useStore } from "./store";

/** Presence of a person at this tab: it is visible, and was touched within the hour. */
export const idleTracker = createStore<"here" | "hidden" | "gone">("here");

const maxIdleMs = 3_600_000;
let touchedAt = Date.now();

function look(): void {
  if (document.visibilityState === "hidden") idleTracker.write("hidden");
  else idleTracker.write(Date.now() - touchedAt > maxIdleMs ? "gone" : "here");
}

/** Notes that a person did something here. */
export function noteTouch(): void {
  touchedAt = Date.now();
  look();
}

/** Follows the person: streams and polls would keep a forgotten session alive. */
export function trackIdleTime(): void {
  for (const event of ["pointerdown", "keydown", "wheel"]) addEventListener(event, noteTouch, { passive: true });
  document.addEventListener("visibilitychange", look);
  setInterval(look, 60_000);
}

/** Interval between polls, in milliseconds; none while the tab is left alone. */
export function usePollInterval(milliseconds: number): number | false {
  return useStore(idleTracker) === "here" && milliseconds;
}
