import { dlopen, FFIType, ptr } from "bun:ffi";

const { i32, u64 } = FFIType;
const symbols = {
  pipe2: { args: [FFIType.ptr, i32], returns: i32 },
  fcntl: { args: [i32, i32, i32], returns: i32 },
  poll: { args: [FFIType.ptr, u64, i32], returns: i32 },
  flock: { args: [i32, i32], returns: i32 },
  prctl: { args: [i32, u64, u64, u64, u64], returns: i32 },
  waitpid: { args: [i32, FFIType.ptr, i32], returns: i32 },
} as const;

/** Names of the C library on Linux, by distribution. */
const names = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"];

const closeOnExec = 0o2000000;
const nonBlocking = 0o4000;
const getFlags = 3;
const setFlags = 4;
const exclusiveLock = 2;
const withoutWaiting = 4;
const readable = 1;
const writable = 4;
const setSubreaper = 36;
const withoutHanging = 1;

/** The calls of the system that the runtime does not offer. */
export interface SystemCalls {
  /** A real pipe: the end to read from, which never blocks, and the end to give away. */
  makePipe(): { readEnd: number; writeEnd: number };
  /** True if a write of up to 4 KiB would not block now. */
  canWrite(fd: number): boolean;
  /** True if there is something to read now. */
  canRead(fd: number): boolean;
  /** Locks an open file for this process, unless another one has it. The lock ends with the process. */
  lockFile(fd: number): boolean;
  /** From now on, processes below this one whose parent ends become children of this one. False: they do not. */
  adoptOrphans(): boolean;
  /** Takes an adopted child that has ended out of the list of processes. */
  forgetEnded(pid: number): void;
}

/** Loads the C library; undefined where there is none of Linux. */
export function loadSystemCalls(): SystemCalls | undefined {
  const libc = openLibrary();
  if (!libc) return undefined;
  const poll = (fd: number, events: number) => {
    const asked = new DataView(new ArrayBuffer(8));
    asked.setInt32(0, fd, true);
    asked.setInt16(4, events, true);
    return { count: libc.poll(ptr(asked), 1, 0), answered: asked.getInt16(6, true) };
  };
  return {
    makePipe() {
      const ends = new Int32Array(2);
      if (libc.pipe2(ptr(ends), closeOnExec) !== 0) throw new Error("The system gives no pipe.");
      const [readEnd = -1, writeEnd = -1] = ends;
      // Only this end: the command's end has to block, as it would without us.
      libc.fcntl(readEnd, setFlags, libc.fcntl(readEnd, getFlags, 0) | nonBlocking);
      return { readEnd, writeEnd };
    },
    // An error counts, too: the write then says which.
    canWrite: (fd) => poll(fd, writable).count !== 0,
    canRead: (fd) => (poll(fd, readable).answered & readable) !== 0,
    lockFile: (fd) => libc.flock(fd, exclusiveLock | withoutWaiting) === 0,
    adoptOrphans: () => libc.prctl(setSubreaper, 1, 0, 0, 0) === 0,
    forgetEnded: (pid) => void libc.waitpid(pid, null, withoutHanging),
  };
}

function openLibrary() {
  for (const name of names) {
    try {
      return dlopen(name, symbols).symbols;
    } catch {
      // The next name may be the right one.
    }
  }
  return undefined;
}
