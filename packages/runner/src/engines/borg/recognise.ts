import { hasOption, optionValue, type ParsedArguments, parseArguments, savesNothing } from "../arguments";
import type { Invocation, Recognition } from "../engine";
import { nameOperation, type Work } from "../operation";
import { absolutePath, listedIn } from "../places";

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

export function recognise(invocation: Invocation): Recognition {
  const { args, host } = invocation;
  const parsed = parseBorg(args);
  const command = parsed.operands[0]?.value ?? "help";
  const type = `borg_${command.replaceAll("-", "_")}`;
  return {
    category: isKnown(command) && !savesNothing(parsed, "-n", "-h", "-V") ? categories[command] : "system",
    type,
    entity: { type: "host", value: host },
    operation: nameOperation(type, workOf(command, parsed, invocation)),
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

/** The archive's name is left out: it has the time in it. */
function workOf(command: string, parsed: ParsedArguments, invocation: Invocation): Work {
  const repository = repositoryOf(command, parsed, invocation);
  if (command !== "create") return { sources: repository === undefined ? [] : [repository] };
  const lists = listedIn(parsed.options.get("--patterns-from"), invocation);
  const isCommand = hasOption(parsed, "--content-from-command", "--paths-from-command");
  const paths = isCommand ? [] : sourcesOf(invocation.args);
  const stream = `stdin:${optionValue(parsed, "--stdin-name") || "stdin"}`;
  return {
    sources: [...paths.map((path) => (path === "-" ? stream : absolutePath(path, invocation))), ...lists],
    repository,
  };
}

/** `repository::archive`; `::archive` and the names of borg 2 leave the repository to an option or a variable. */
function repositoryOf(command: string, parsed: ParsedArguments, invocation: Invocation): string | undefined {
  const operand = parsed.operands[1]?.value ?? "";
  const at = operand.indexOf("::");
  const named = at >= 0 ? operand.slice(0, at) : command === "create" ? "" : operand;
  const location = optionValue(parsed, "--repo", "-r") || named || invocation.environment.BORG_REPO || "";
  if (location === "") return undefined;
  return /^[^/]*:/.test(location) ? location : absolutePath(location, invocation);
}
