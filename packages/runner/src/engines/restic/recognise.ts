import type { TaskCategory } from "@holdfast/api/resources/task-words";
import { optionValue, type ParsedArguments, parseArguments } from "../arguments";
import type { Invocation, Recognition } from "../engine";

const valued = {
  long: new Set(
    `repo repository-file password-file password-command key-hint cache-dir cacert tls-client-cert limit-upload
     limit-download option compression pack-size retry-lock http-user-agent stuck-request-timeout
     host tag exclude iexclude exclude-file iexclude-file exclude-if-present exclude-larger-than files-from
     files-from-raw files-from-verbatim parent time stdin-filename read-concurrency group-by target include iinclude
     include-file path from-repo from-repository-file from-password-file from-password-command from-key-hint
     keep-last keep-hourly keep-daily keep-weekly keep-monthly keep-yearly keep-within keep-tag max-unused
     max-repack-size read-data-subset`.split(/\s+/),
  ),
  short: "rpoHetgildwmy",
};

const categories: Readonly<Record<string, TaskCategory>> = {
  backup: "backup",
  copy: "backup",
  restore: "restore",
  dump: "restore",
};

export function parseRestic(args: readonly string[]): ParsedArguments {
  return parseArguments(args, valued);
}

export function recognise({ args, environment, host }: Invocation): Recognition {
  const parsed = parseRestic(args);
  const command = parsed.operands[0]?.value ?? "help";
  return {
    category: categories[command] ?? "system",
    type: `restic_${command.replaceAll("-", "_")}`,
    entity: { type: "host", value: optionValue(parsed, "--host", "-H") || environment.RESTIC_HOST || host },
    command,
    stdoutIsData: command === "dump" || command === "cat",
    politeSignal: "SIGINT",
  };
}
