import { type ParsedArguments, parseArguments } from "../arguments";
import type { Invocation, Recognition } from "../engine";

const valued = {
  long: new Set(
    `lock-wait debug-topic umask remote-path remote-ratelimit upload-ratelimit remote-buffer upload-buffer debug-profile
     rsh repo socket exclude exclude-from pattern patterns-from exclude-if-present filter stdin-name stdin-user stdin-group
     stdin-mode paths-delimiter files-cache comment timestamp checkpoint-interval chunker-params compression
     strip-components tar-filter keep-within keep-last keep-secondly keep-minutely keep-hourly keep-daily keep-weekly
     keep-monthly keep-yearly prefix glob-archives match-archives sort-by first last format threshold max-duration
     encryption storage-quota`.split(/\s+/),
  ),
  // Also the repository of borg 2; -p, -s, -n and -x have no value.
  short: "reCcPaHdwmy",
};

const categories = { create: "backup", extract: "restore", "export-tar": "restore" } as const;

export function parseBorg(args: readonly string[]): ParsedArguments {
  return parseArguments(args, valued);
}

/** The paths that `create` was asked to save, after the archive's name. */
export function sourcesOf(args: readonly string[]): string[] {
  const [, , ...sources] = parseBorg(args).operands;
  return sources.map(({ value }) => value);
}

export function recognise({ args, host }: Invocation): Recognition {
  const parsed = parseBorg(args);
  const command = parsed.operands[0]?.value ?? "help";
  return {
    category: isKnown(command) ? categories[command] : "system",
    type: `borg_${command.replaceAll("-", "_")}`,
    entity: { type: "host", value: host },
    command,
    stdoutIsData:
      (command === "export-tar" && parsed.operands.some(({ value }) => value === "-")) ||
      (command === "extract" && parsed.options.has("--stdout")),
    politeSignal: "SIGINT",
  };
}

function isKnown(command: string): command is keyof typeof categories {
  return Object.hasOwn(categories, command);
}
