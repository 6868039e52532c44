import { Worker } from "node:worker_threads";
import { isExecutable } from "../../settings/executable";
import type { CopyOrder, CopyOutcome } from "./copy-database";

/** Sent by the thread when its code is loaded. */
export type Loaded = "loaded";

/** Copies a database in a thread of its own. Paths have to be absolute: the current folder is another one for a moment. */
export async function copyInThread(order: CopyOrder): Promise<CopyOutcome> {
  const comeBack = leaveFolder();
  const worker = new Worker(new URL("./backup-worker.ts", import.meta.url), { workerData: order });
  try {
    return await new Promise<CopyOutcome>((settle, fail) => {
      worker.on("message", (message: Loaded | CopyOutcome) => {
        comeBack();
        if (message !== "loaded") settle(message);
      });
      worker.once("error", fail);
      worker.once("exit", () => fail(new Error("The copying ended without a word.")));
    });
  } finally {
    comeBack();
    await worker.terminate();
  }
}

/**
 * Goes to a folder of ours until the code of a thread is loaded: the runtime looks for it with the tsconfig.json of the current
 * folder, which may be another user's. The executable does not do that.
 */
function leaveFolder(): () => void {
  const folder = isExecutable ? undefined : currentFolder();
  if (folder === undefined) return () => {};
  process.chdir(import.meta.dirname);
  let isBack = false;
  return () => {
    if (isBack) return;
    isBack = true;
    try {
      process.chdir(folder);
    } catch {
      // It cannot be entered, and so no path of the command leads there.
    }
  };
}

/** Undefined where it was deleted: then there is nothing in it. */
function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
