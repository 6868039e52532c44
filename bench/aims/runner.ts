import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "../load/percentiles";
import { type Row, rowOf } from "../result";

const main = join(import.meta.dir, "../../packages/cli/src/main.ts");
const command = ["sh", "-c", "echo begun; sleep 1"];
/** A million lines of one character each. */
const shortLines = ["sh", "-c", "yes | head -n 1000000"];
const rounds = 9;

interface Cost {
  /** Milliseconds until the first byte of the output, and until the end. */
  firstByte: number;
  end: number;
  /** Milliseconds of processor time. */
  processor: number;
  /** MiB of memory, at most. */
  memory: number;
}

/** Measures the cost that `holdfast run` adds to a command, without a service. */
export async function measureRunner(keep: (row: Row) => void): Promise<void> {
  const spool = mkdtempSync(join(tmpdir(), "holdfast-bench-spool-"));
  const flags = ["--url", "http://127.0.0.1:9", "--spool-dir", spool, "--linger", "0s", "--quiet", "--log", "all"];
  const runner = [process.execPath, "--config=/dev/null", "--no-env-file", main, "run", ...flags, "--"];
  const short = await costsOf(command, runner, rounds);
  const long = await costsOf(shortLines, runner, rounds / 3);
  rmSync(spool, { recursive: true });
  keep(rowOf("runner", "first byte of a command, later than bare", short("firstByte"), " ms", { atMost: 100 }));
  keep(rowOf("runner", "processor time, above the bare command", short("processor"), " ms"));
  keep(rowOf("runner", "a million short lines, longer than bare", long("end") / 1000, " s", { atMost: 1 }));
  keep(rowOf("runner", "resident memory, above the bare command", short("memory"), " MiB", { atMost: 64 }));
}

/** Runs a command bare and with the runner, in turns, and gives the difference of the medians. */
async function costsOf(argv: readonly string[], runner: readonly string[], count: number) {
  const costs: { bare: Cost; ours: Cost }[] = [];
  for (let round = 0; round < count; round++) {
    costs.push({ bare: await costOf(argv), ours: await costOf([...runner, ...argv]) });
  }
  return (of: keyof Cost) => median(costs.map(({ ours }) => ours[of])) - median(costs.map(({ bare }) => bare[of]));
}

async function costOf(argv: readonly string[]): Promise<Cost> {
  const startedAt = performance.now();
  const child = Bun.spawn([...argv], {
    env: { PATH: process.env.PATH, HOLDFAST_TOKEN: "bench" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  let firstByte = 0;
  for await (const _ of child.stdout) firstByte ||= performance.now() - startedAt;
  await child.exited;
  const usage = child.resourceUsage();
  return {
    firstByte,
    end: performance.now() - startedAt,
    processor: Number(usage?.cpuTime.total ?? 0) / 1000,
    memory: (usage?.maxRSS ?? 0) / 1024 / 1024,
  };
}
