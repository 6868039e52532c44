import { readdirSync, readlinkSync } from "node:fs";

/**
 * The processes that work in a folder or below it. All of a PostgreSQL server's do, in its data folder, also those whose
 * parent has been killed; and a number that the system has given to somebody else is not taken for one of them.
 */
export function processesIn(folder: string): number[] {
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => `${workingFolder(id)}/`.startsWith(`${folder}/`)).map(Number);
}

/** Sends a signal to processes; one that has ended meanwhile needs none. */
export function signalAll(ids: readonly number[], signal: NodeJS.Signals): void {
  for (const id of ids) {
    try {
      process.kill(id, signal);
    } catch {
      // It has ended.
    }
  }
}

/** Kills every process in a folder, and those that they have started meanwhile, and waits until they are gone. */
export async function killProcessesIn(folder: string): Promise<void> {
  for (let left = processesIn(folder); left.length > 0; left = processesIn(folder)) {
    signalAll(left, "SIGKILL");
    await Bun.sleep(10);
  }
}

function workingFolder(id: string): string {
  try {
    return readlinkSync(`/proc/${id}/cwd`);
  } catch {
    return "";
  }
}
