import type { RecognisedCommand } from "./recognise";
import type { Version } from "./versions";

/** Where a stream of the runner leads to. */
export type AddedStreamTarget = "terminal" | "socket" | "null" | "pipe" | "file";

export interface AddRequest {
  /** `--progress`. */
  progress: "auto" | "on" | "off";
  /** Undefined where it could not be found out. */
  version: Version | undefined;
  stdin: AddedStreamTarget;
  stdout: AddedStreamTarget;
}

/** The command to start. */
export interface CommandToStart {
  argv: readonly string[];
  /** To be set beside the runner's own environment. */
  environment: Readonly<Record<string, string>>;
  /** True if flags of ours are in it, which the reader has to take out again. */
  hasAdditions: boolean;
}

/** On these, text that is not byte for byte the engine's does no harm: a person reads it, or none does. */
const readByPeople: readonly AddedStreamTarget[] = ["terminal", "socket", "null"];

/**
 * Adds the flags that make an engine show its progress, where that changes nothing that a program could notice.
 *
 * @public
 */
export function addFlags(command: RecognisedCommand, { progress, version, stdin, stdout }: AddRequest): CommandToStart {
  const { argv, engine, invocation, argumentsAt } = command;
  const unchanged = { argv, environment: {}, hasAdditions: false };
  if (progress === "off" || argumentsAt === undefined) return unchanged;
  const addition = engine.additions?.(invocation, { version, stdinIsTerminal: stdin === "terminal" });
  if (addition === undefined) return unchanged;
  if (!addition.isExact && progress !== "on" && !readByPeople.includes(stdout)) return unchanged;
  const at = argumentsAt + addition.at;
  return {
    argv: [...argv.slice(0, at), ...addition.flags, ...argv.slice(at)],
    environment: addition.environment,
    hasAdditions: true,
  };
}
