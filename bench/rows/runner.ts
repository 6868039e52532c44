import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure } from "../bench";

const main = join(import.meta.dir, "../../packages/cli/src/main.ts");
const command = ["sh", "-c", "echo begun; sleep 1"];

/** A million lines of one character each. */
const shortLines = ["sh", "-c", "yes | head -n 1000000"];

interface Cost {
  /** Milliseconds until the first byte of the command's output. */
  firstByte: number;
  /** Milliseconds of processor time. */
  processor: number;
  /** MiB of memory, at most. */
  memory: number;
}

/** Measures what `holdfast run` adds to a command, without a service: the command must not notice. */
export async function measureRunner(rounds: number, figure: Figure): Promise<void> {
  const spool = mkdtempSync(join(tmpdir(), "holdfast-bench-spool-"));
  const flags = ["--url", "http://127.0.0.1:9", "--spool-dir", spool, "--linger", "0s", "--quiet", "--log", "all"];
  const runner = [process.execPath, "--config=/dev/null", "--no-env-file", main, "run", ...flags, "--"];
  const bare: Cost[] = [];
  const ours: Cost[] = [];
  for (let round = 0; round < 3 * rounds; round++) {
    bare.push(await costOf(command));
    ours.push(await costOf([...runner, ...command]));
  }
  const slower: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await secondsOf(shortLines);
    slower.push((await secondsOf([...runner, ...shortLines])) - alone);
  }
  rmSync(spool, { recursive: true });
  const group = "holdfast run";
  const later = median(ours, "firstByte") - median(bare, "firstByte");
  await figure(group, "first byte of a command, later than bare", later, " ms", { atMost: 100 });
  const processor = median(ours, "processor") - median(bare, "processor");
  await figure(group, "processor time, above the bare command", processor, " ms");
  await figure(group, "a million short lines, longer than bare", middleOf(slower), " s", { atMost: 1 });
  await figure(group, "resident memory", median(ours, "memory"), " MiB", { atMost: 64 });
}

async function costOf(argv: readonly string[]): Promise<Cost> {
  const startedAt = performance.now();
  const child = Bun.spawn([...argv], {
    env: { PATH: process.env.PATH, HOLDFAST_TOKEN: "bench" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  await child.stdout.getReader().read();
  const firstByte = performance.now() - startedAt;
  await child.exited;
  const usage = child.resourceUsage();
  return {
    firstByte,
    processor: Number(usage?.cpuTime.total ?? 0) / 1000,
    memory: (usage?.maxRSS ?? 0) / 1024 / 1024,
  };
}

/** Runs a command to its end, and returns the seconds that it took. */
async function secondsOf(argv: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const env = { PATH: process.env.PATH, HOLDFAST_TOKEN: "bench" };
  await Bun.spawn([...argv], { env, stdin: "ignore", stdout: "ignore", stderr: "inherit" }).exited;
  return (performance.now() - startedAt) / 1000;
}

function median(costs: readonly Cost[], of: keyof Cost): number {
  return middleOf(costs.map((cost) => cost[of]));
}

function middleOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
