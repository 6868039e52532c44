import { statSync } from "node:fs";
import { join } from "node:path";

/**
 * Lets root work on the data of a service as the user that the data belongs to: a file that root made there could not be
 * written by the service. Not from sources, which that user may not be able to read.
 */
export function becomeOwner(dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const owner = statSync(dataDir, { throwIfNoEntry: false });
  if (!owner || owner.uid === 0) return;
  process.setgroups?.([owner.gid]);
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
  // The home of that user; root's, where a password would be looked for, is closed from here on.
  process.env.PGPASSFILE ??= join(dataDir, ".pgpass");
}
