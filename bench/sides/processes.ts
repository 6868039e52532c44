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

const repository = join(import.meta.dir, "../..");

/** Builds the executable, in a process of its own: this one stays small, and what it starts begins with its size. */
export async function buildProgram(): Promise<void> {
  const child = Bun.spawn([process.execPath, join(repository, "scripts/build.ts")], {
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error("The executable could not be built.");
}

/** Starts the service with these settings and waits for its first answer. */
export async function serveHoldfast(settings: readonly string[], logFile: string, port: number): Promise<Served> {
  const args = ["serve", "--port", String(port), "--rate-limit", "0", "--drain-seconds", "0", ...settings];
  const startedAt = performance.now();
  const child = Bun.spawn([join(repository, "dist/holdfast"), ...args], {
    stdout: openSync(logFile, "w"),
    stderr: openSync(logFile, "a"),
  });
  const url = `http://127.0.0.1:${port}`;
  await firstAnswer(`${url}/readyz`);
  return { url, pid: child.pid, startTime: performance.now() - startedAt, stop: () => stop(child) };
}

/** Starts the bare server on the bytes of a file. */
export function serveBare(file: string): Promise<Served> {
  const child = Bun.spawn([process.execPath, join(repository, "bench/sides/bare.ts"), file], { stdout: "pipe" });
  return firstLine(child, "The bare server did not start.");
}

/** Waits for the first line of a process, which says where it listens. */
export async function firstLine(
  child: Bun.Subprocess<"ignore", "pipe", number | "inherit" | "ignore">,
  failure: string,
): Promise<Served> {
  const startedAt = performance.now();
  const { value } = await child.stdout.getReader().read();
  const url = new TextDecoder().decode(value).trim();
  if (!url.startsWith("http://")) throw new Error(`${failure} ${url}`);
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

/** Resident memory of a process in MiB, or of the largest that it has started. */
export async function residentMemory(pid: number): Promise<number> {
  const children = (await Bun.file(`/proc/${pid}/task/${pid}/children`).text()).split(" ").filter(Boolean);
  // A child may have ended since.
  const written = [pid, ...children].map((id) =>
    Bun.file(`/proc/${id}/status`)
      .text()
      .catch(() => ""),
  );
  const sizes = (await Promise.all(written)).map((status) => Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0));
  return Math.max(...sizes) / 1024;
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
