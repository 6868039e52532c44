import { type Browser, chromium } from "playwright-core";

const switches = [
  "--headless",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Pages that live for seconds gain nothing from optimized code.
  "--js-flags=--no-opt,--no-maglev",
];

/** Starts a Chromium without a window, with a profile of its own that is gone when it is closed. */
export function startBrowser(...further: string[]): Promise<Browser> {
  const executablePath = Bun.which("chromium-headless-shell") ?? Bun.which("chromium") ?? "/usr/bin/chromium";
  // Chromium's own sandbox refuses to be root, as which tests run in containers.
  return chromium.launch({ executablePath, chromiumSandbox: false, args: [...switches, ...further] });
}
