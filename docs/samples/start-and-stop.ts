/** Starts a service as a page says, waits until it serves, and stops it: bun start-and-stop.ts COMMAND-LINE serve … */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const startTimeoutMs = 60_000;
const folder = mkdtempSync(join(tmpdir(), "holdfast-sample-"));
const child = Bun.spawn([process.execPath, ...process.argv.slice(2)], {
  // Data of its own: the service of the samples serves the usual one.
  env: { HOLDFAST_PORT: "0", ...process.env, HOLDFAST_DATA_DIR: folder, HOLDFAST_DRAIN_SECONDS: "0" },
  stdin: "ignore",
  stdout: "pipe",
  stderr: "pipe",
});
const timer = setTimeout(() => child.kill("SIGKILL"), startTimeoutMs);
let printed = "";
for await (const part of child.stderr) {
  printed += new TextDecoder().decode(part);
  if (printed.includes("Holdfast serves ")) break;
}
child.kill("SIGTERM");
await child.exited;
clearTimeout(timer);
rmSync(folder, { recursive: true });
process.stderr.write(printed);
process.exit(printed.includes("Holdfast serves ") ? 0 : 1);
