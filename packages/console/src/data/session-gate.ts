import { createStore } from "./store";

/** State of the session: `closed` while the dialog to sign in again is open. */
export const sessionGate = createStore<"unknown" | "open" | "closed">("unknown");

let waiting: (() => void)[] = [];

/** Waits until the person has signed in again. Before anyone was signed in here, there is nothing to wait for. */
export function waitForSignIn(): Promise<void> | undefined {
  if (sessionGate.read() === "unknown") return undefined;
  sessionGate.write("closed");
  return new Promise((resolve) => waiting.push(resolve));
}

/** Lets everything pass: a person is signed in. */
export function openGate(): void {
  sessionGate.write("open");
  const held = waiting;
  waiting = [];
  for (const go of held) go();
}

const channel = new BroadcastChannel("holdfast-session");

/** Says in all other tabs that the person has signed out. */
export function announceSignOut(): void {
  channel.postMessage("signed-out");
}

/** Calls back when the person has signed out in another tab. */
export function onSignOutElsewhere(listener: () => void): void {
  channel.addEventListener("message", listener);
}
