import { arch, cpus, loadavg, release, totalmem, type } from "node:os";
import type { BenchRun } from "./result";

/** Describes the machine of a run: figures say as much about a machine as about a program. */
export function describeMachine(): BenchRun["machine"] {
  const model = cpus()[0]?.model ?? "unknown";
  return {
    // Linux does not say the model of an ARM processor.
    processor: model === "unknown" ? arch() : model,
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    system: `${type()} ${release()}`,
  };
}

export const loadNow = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10;

/** The commit that is measured. */
export async function currentCommit(): Promise<string> {
  const child = Bun.spawn(["git", "rev-parse", "--short=10", "HEAD"], { stdout: "pipe", stderr: "ignore" });
  return (await child.stdout.text()).trim() || "unknown";
}
