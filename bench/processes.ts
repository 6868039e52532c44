import { openSync } from "node:fs";
import { join } from "node:path";

/** A process that listens. */
export interface Served {
  url: string;
  pid: number;
  /** Milliseconds from its start to its first answer. */
  startTime: number;
  stop(): Promise<void>;
}

const repository = join(import.meta.dir, "..");

/** Starts the service on a data directory and waits for its first answer. */
export async function serveHoldfast(dataDir: string, port: number): Promise<Served> {
  const args = ["serve", "--port", String(port), "--data_dir", dataDir, "--rate_limit", "0", "--drain_seconds", "0"];
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, join(repository, "packages/cli/src/main.ts"), ...args], {
    stdout: openSync(join(dataDir, "log"), "w"),
    stderr: openSync(join(dataDir, "log"), "a"),
  });
  const url = `http://127.0.0.1:${port}`;
  await firstAnswer(`${url}/readyz`);
  return { url, pid: child.pid, startTime: performance.now() - startedAt, stop: () => stop(child) };
}

/** Starts the bare server on the bytes of a file. */
export async function serveBare(file: string): Promise<Served> {
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, join(repository, "bench/bare.ts"), file], { stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  const url = new TextDecoder().decode(value).trim();
  return { url, pid: child.pid, startTime: performance.now() - startedAt, stop: () => stop(child) };
}

/** Runs a holdfast command and gives what it prints. */
export async function runHoldfast(args: string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, join(repository, "packages/cli/src/main.ts"), ...args], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const printed = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`holdfast ${args.join(" ")} failed.`);
  return printed.trim();
}

/** Resident memory in MiB. */
export async function residentMemory(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

async function firstAnswer(url: string): Promise<void> {
  for (let attempt = 0; attempt < 3000; attempt++) {
    try {
      await fetch(url);
      return;
    } catch {
      await Bun.sleep(5);
    }
  }
  throw new Error(`Nothing answers at ${url}.`);
}

async function stop(child: Bun.Subprocess): Promise<void> {
  child.kill("SIGTERM");
  await child.exited;
}
