import { posix } from "node:path";
import { failure, warning } from "../ending";
import type { EndedRun, Verdict } from "../engine";
import { codes } from "./errors";
import { sourcesOf } from "./recognise";

export function judge(run: EndedRun): Verdict | undefined {
  const { exitCode, diagnostics, recognition } = run;
  if (exitCode === null || exitCode === 0) return undefined;
  const missing = [...diagnostics.missing][0];
  // Python itself ends with 1 after an error that borg has not caught.
  if (diagnostics.lineOf("command_failed") !== undefined && exitCode === 1)
    return failure("command_failed", diagnostics.lastErrorLine());
  if (exitCode === 1 || (exitCode >= 100 && exitCode <= 107)) {
    // Borg makes an empty archive when no source exists, and calls that a warning.
    if (recognition.command === "create" && areAllSourcesMissing(run))
      return failure("source_missing", describe(missing));
    if (recognition.command === "check" && diagnostics.lineOf("pack_damaged") !== undefined)
      return failure("pack_damaged");
    const isSourceMissing = sourcesOf(run.invocation.args).some((source) => isMissing(source, run));
    if (recognition.command === "create" && isSourceMissing) return warning("source_missing", describe(missing));
    return warning(codes[exitCode] ?? softCode(run));
  }
  // These numbers mean one thing each; 2 may be anything.
  const code = codes[exitCode] ?? diagnostics.code();
  if (code === "repository_full" && recognition.category === "restore")
    return failure("target_full", diagnostics.lineOf(code));
  return failure(code);
}

function softCode({ diagnostics }: EndedRun): "files_unreadable" | "files_changed" | "command_failed" {
  if (diagnostics.lineOf("files_unreadable") !== undefined) return "files_unreadable";
  return diagnostics.lineOf("files_changed") === undefined && diagnostics.missing.size === 0
    ? "command_failed"
    : "files_changed";
}

function areAllSourcesMissing(run: EndedRun): boolean {
  const sources = sourcesOf(run.invocation.args);
  return sources.length > 0 && sources.every((source) => isMissing(source, run));
}

function isMissing(source: string, { diagnostics }: EndedRun): boolean {
  const path = posix.join(source).replace(/(?<=.)\/$/, "");
  return diagnostics.missing.has(path) || diagnostics.missing.has(source);
}

function describe(path: string | undefined): string | undefined {
  return path === undefined ? undefined : `${path}: [Errno 2] No such file or directory`;
}
