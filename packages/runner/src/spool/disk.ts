import { close, fsync, futimes, open, rename, rm, write } from "node:fs";
import { promisify } from "node:util";

/** Disk operations that run beside everything else: one that hangs holds nothing up but what waits for it. */
export const disk = {
  open: promisify(open),
  rename: promisify(rename),
  sync: promisify(fsync),
  close: promisify(close),
  touch(fd: number): Promise<void> {
    const now = new Date();
    return promisify(futimes)(fd, now, now);
  },
  remove: (path: string) => promisify(rm)(path, { force: true }),
  async writeLine(fd: number, line: string): Promise<void> {
    const bytes = Buffer.from(line);
    const length = await new Promise<number>((resolve, reject) => {
      write(fd, bytes, 0, bytes.length, null, (error, count) => (error ? reject(error) : resolve(count)));
    });
    if (length < bytes.length) throw new Error("no space left on device");
  },
};

/** Timeout for a disk, in milliseconds. A backup keeps disks busy, and nothing but the report waits for this. */
const answerTimeoutMs = 5_000;

/** Waits for a deed, but not for longer than a disk may take. False: it is not over yet. */
export async function isDoneInTime(deed: Promise<unknown>, limitMs = answerTimeoutMs): Promise<boolean> {
  // It may still fail when it is no longer waited for.
  deed.catch(() => {});
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  try {
    return await Promise.race([deed.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
