import { errorMessage } from "@holdfast/api/conventions/error-message";

/** Names the folder in which the command was called, for a process that was started in a folder of ours. */
const variable = "HOLDFAST_CALLERS_FOLDER";

/**
 * Goes back to the folder in which the command was called. The runtime was started elsewhere, because it takes code from the folder
 * that it starts in, which may be another user's. Commands that are started do not see the variable.
 */
export function goToCallersFolder(): void {
  const folder = process.env[variable];
  if (folder === undefined) return;
  delete process.env[variable];
  try {
    process.chdir(folder);
  } catch (error) {
    process.stderr.write(`holdfast: ${errorMessage(error)}. Start the command in a folder that you can enter.\n`);
    process.exit(1);
  }
}

/** Folder to start the sources in again, and the environment that leads them to the present folder. */
export function startInOurFolder(): { cwd?: string; env: Record<string, string> } {
  try {
    return { cwd: import.meta.dirname, env: { [variable]: process.cwd() } };
  } catch {
    // It was deleted, so there is nothing in it.
    return { env: {} };
  }
}
