import { fileURLToPath } from "node:url";
import { helper } from "../built-programs";
import { readTold, type Told } from "./writer-steps";

const script = helper(fileURLToPath(new URL("./write-and-tell.ts", import.meta.url)));

/** Behaviour of a writer: as it should, or broken on purpose. */
export type Way = "sound" | "early" | "lazy";

/** A process that writes to the database of a folder. */
export interface Writer {
  pid: number;
  /** Waits until this many things are acknowledged. */
  reached(count: number): Promise<void>;
  /** Lines so far. */
  told(): Told;
  /** Lines once it has ended and been heard to the end. */
  ended(): Promise<Told>;
  /** Ends it as a crash does. */
  kill(): Promise<Told>;
}

/** Starts a writer, under another command where one is given. */
export function startWriter(options: {
  folder: string;
  seed: number;
  count?: number;
  way?: Way;
  under?: readonly string[];
  /** The database, where it is not in the folder. */
  url?: string;
}): Writer {
  const { folder, seed, count = Number.MAX_SAFE_INTEGER, way = "sound", under = [], url } = options;
  const told = [folder, String(seed), String(count), way, ...(url === undefined ? [] : [url])];
  const child = Bun.spawn([...under, process.execPath, script, ...told], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let printed = "";
  const heard = (async () => {
    const decoder = new TextDecoder();
    for await (const part of child.stdout) printed += decoder.decode(part, { stream: true });
  })();
  const ended = async () => {
    await Promise.all([heard, child.exited]);
    return readTold(printed);
  };
  return {
    pid: child.pid,
    told: () => readTold(printed),
    ended,
    async reached(wanted) {
      const deadline = performance.now() + 20_000;
      while (readTold(printed).acknowledged < wanted) {
        if (child.exitCode !== null || performance.now() > deadline) {
          throw new Error(`The writer did not get there: ${await child.stderr.text()}`);
        }
        await Bun.sleep(5);
      }
    },
    kill: () => {
      child.kill("SIGKILL");
      return ended();
    },
  };
}
