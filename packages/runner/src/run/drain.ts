import { setTimeout as sleep } from "node:timers/promises";
import type { Relay } from "./relay";

const lookEveryMs = 50;
/** Number of times in a row that a stream must be found empty to count as ended. */
const maxIdlePolls = 4;
/** More than the command can have left in a pipe, in bytes: what comes after it is of a process in the background. */
const maxRemainingBytes = 1024 * 1024;

/**
 * Waits until all is passed on that the command wrote before it ended, however slow its reader is. A process that it has
 * left in the background may hold the stream open, and is not waited for.
 */
export async function drain(relay: Relay): Promise<void> {
  const max = relay.bytesRead() + maxRemainingBytes;
  for (let idlePolls = 0; idlePolls < maxIdlePolls && relay.bytesRead() < max; ) {
    const isOver = await Promise.race([relay.ended.then(() => true), sleep(lookEveryMs).then(() => false)]);
    if (isOver) return;
    idlePolls = relay.isBusy() ? 0 : idlePolls + 1;
  }
}
