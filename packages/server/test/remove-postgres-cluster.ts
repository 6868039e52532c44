import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { killProcessesIn } from "./folder-processes";

// A process of its own that outlives the tests: a cluster has to go even where they were killed, and a handler in their
// process would not run then. Its standard input ends when they let go of it, in whatever way, and then it tidies up.
const [folder = ""] = process.argv.slice(2);
const lockFile = join(folder, "data", "postmaster.pid");
// Whoever interrupts the tests at a terminal interrupts this too.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) process.on(signal, () => {});
for await (const _ of process.stdin);
await killProcessesIn(folder);
if (existsSync(lockFile)) releaseSharedMemory();
rmSync(folder, { recursive: true, force: true });

/** The one piece of System V memory that marks the data folder as in use stays behind a server that was killed. */
function releaseSharedMemory(): void {
  const id = readFileSync(lockFile, "utf8").split("\n")[6]?.trim().split(/\s+/)[1];
  // It complains where the memory is gone already.
  if (id !== undefined) Bun.spawnSync(["ipcrm", "--shmem-id", id], { stdio: ["ignore", "ignore", "ignore"] });
}
