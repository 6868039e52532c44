import { type Browser, chromium } from "playwright-core";

const switches = ["--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];

/** Starts a Chromium without a window, with a profile of its own that is gone when it is closed. */
export function startBrowser(): Promise<Browser> {
  const executablePath = Bun.which("chromium-headless-shell") ?? Bun.which("chromium") ?? "/usr/bin/chromium";
  // Chromium's own sandbox refuses to be root, as which tests run in containers.
  return chromium.launch({ executablePath, chromiumSandbox: false, args: switches });
}
