import type { TaskCategory } from "@holdfast/api/resources/task-words";
import { hasOption, optionValue, type ParsedArguments, parseArguments, savesNothing } from "../arguments";
import type { Invocation, Recognition } from "../engine";
import { nameOperation, type Work } from "../operation";
import { absolutePath, listedIn } from "../places";

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

export function recognise(invocation: Invocation): Recognition {
  const { args, environment, host } = invocation;
  const parsed = parseRestic(args);
  const command = parsed.operands[0]?.value ?? "help";
  const type = `restic_${command.replaceAll("-", "_")}`;
  return {
    category: savesNothing(parsed, "-n", "-h") ? "system" : (categories[command] ?? "system"),
    type,
    entity: { type: "host", value: optionValue(parsed, "--host", "-H") || environment.RESTIC_HOST || host },
    operation: nameOperation(type, workOf(command, parsed, invocation)),
    command,
    stdoutIsData: command === "dump" || command === "cat",
    politeSignal: "SIGINT",
  };
}

function workOf(command: string, parsed: ParsedArguments, invocation: Invocation): Work {
  const { environment } = invocation;
  const place = (name: string, file: string, given: string | undefined, givenFile: string | undefined) => {
    const files = listedIn([optionValue(parsed, file) || givenFile || ""], invocation);
    return repositoryOf(optionValue(parsed, ...name.split(" ")) || given || "", invocation) ?? files[0];
  };
  const repository = place(
    "--repo -r",
    "--repository-file",
    environment.RESTIC_REPOSITORY,
    environment.RESTIC_REPOSITORY_FILE,
  );
  const from = place(
    "--from-repo",
    "--from-repository-file",
    environment.RESTIC_FROM_REPOSITORY,
    environment.RESTIC_FROM_REPOSITORY_FILE,
  );
  if (command === "copy") return { sources: from === undefined ? [] : [from], repository };
  if (command !== "backup") return { sources: repository === undefined ? [] : [repository] };
  return { sources: sourcesOf(parsed, invocation), repository };
}

function sourcesOf(parsed: ParsedArguments, invocation: Invocation): string[] {
  const lists = ["--files-from", "--files-from-verbatim", "--files-from-raw"].flatMap((name) =>
    listedIn(parsed.options.get(name), invocation),
  );
  const isStream = hasOption(parsed, "--stdin", "--stdin-from-command");
  const paths = parsed.operands.slice(1).map(({ value }) => absolutePath(value, invocation));
  return isStream ? [`stdin:${optionValue(parsed, "--stdin-filename") || "stdin"}`] : [...paths, ...lists];
}

/** `sftp:…`, `rest:…`, `s3:…` and others are somewhere else; everything else is a folder. */
function repositoryOf(location: string, invocation: Invocation): string | undefined {
  if (location === "") return undefined;
  return /^[a-z0-9]+:/.test(location) ? location : absolutePath(location, invocation);
}
