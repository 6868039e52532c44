import {
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";

/** A token file that is about to be replaced, so that a folder that cannot be written to is noticed before anything is renewed. */
export interface TokenReplacement {
  /** Puts the new token in place of the old one, all or nothing, readable by the owner of the file alone. */
  commit(token: string): void;
  /** Leaves the file as it is. */
  discard(): void;
}

/** A renewal that was begun so long ago was killed, in milliseconds. */
const staleAfter = 600_000;

/** Another process renews the token of the file just now. */
export class RenewalUnderWay extends Error {
  override readonly name = "RenewalUnderWay";
}

/**
 * Prepares to replace the token in a file. Throws if its folder cannot be written to. The file that it makes next to it is a lock:
 * of two renewals at the same time, the token of one would be revoked by the other, and could be the one that stays.
 */
export function prepareTokenFile(path: string): TokenReplacement {
  // A link to the file stays a link.
  const file = realpathSync(path);
  const { uid, gid } = statSync(file);
  const fresh = `${file}.renewing`;
  const fd = openLocked(fresh);
  const discard = () => {
    closeSync(fd);
    rmSync(fresh, { force: true });
  };
  try {
    if (uid !== process.getuid?.()) chownSync(fresh, uid, gid);
  } catch (error) {
    discard();
    throw error;
  }
  return {
    commit(token) {
      writeSync(fd, `${token}\n`);
      fsyncSync(fd);
      closeSync(fd);
      renameSync(fresh, file);
    },
    discard,
  };
}

function openLocked(path: string): number {
  const begunAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (begunAt !== undefined && Date.now() - begunAt > staleAfter) rmSync(path, { force: true });
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!isTaken) throw error;
    throw new RenewalUnderWay(`Another process renews this token just now. If none does, remove ${path}.`);
  }
}

/** Reads the token that is in a file now; undefined if it cannot be read. */
export function readTokenFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}
