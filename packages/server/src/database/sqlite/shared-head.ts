import { closeSync, openSync, readSync, statSync } from "node:fs";

/** The head of the index that all connections to a database share (https://sqlite.org/walformat.html), in 4-byte words. */
export const sharedHeadWords = 12;

export interface SharedHead {
  /** Reads the head as it is now, without taking a lock. */
  read(into: Uint32Array): void;
  /** To be called when the connections are closed. */
  close(): void;
}

/** Files that are open, by device and inode, and by how many databases of this process. */
const opened = new Map<string, { file: number; users: number }>();

/**
 * Opens the index beside a database; nothing on a file system that has none. It stays open for as long as this process
 * has a connection: with POSIX locks, closing a file gives up every lock that the process holds on it, those of SQLite
 * included. The next process would take the index for abandoned and cut it off under us.
 */
export function openSharedHead(path: string): SharedHead | undefined {
  const found = statSync(`${path}-shm`, { throwIfNoEntry: false });
  if (!found) return undefined;
  const key = `${found.dev} ${found.ino}`;
  const shared = opened.get(key) ?? { file: openSync(`${path}-shm`, "r"), users: 0 };
  opened.set(key, shared);
  shared.users += 1;
  return {
    read: (into) => readSync(shared.file, into, 0, into.byteLength, 0),
    close() {
      shared.users -= 1;
      if (shared.users > 0) return;
      opened.delete(key);
      closeSync(shared.file);
    },
  };
}
