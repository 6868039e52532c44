import { optionValue, type ParsedArguments, parseArguments } from "../arguments";
import type { Invocation, Recognition } from "../engine";

const valued = {
  long: new Set(
    `stanza config config-path config-include-path type set repo repo1-path pg1-path lock-path log-level-console
     log-level-file log-level-stderr log-path process-max target target-action buffer-size`.split(/\s+/),
  ),
  short: "",
};

/** Options can have a value of their own in the next argument, so only these words are commands. */
const commands = new Set(
  `annotate archive-get archive-push backup check expire help info manifest repo-get repo-ls restore server server-ping
   stanza-create stanza-delete stanza-upgrade start stop verify version`.split(/\s+/),
);
const backupTypes: Readonly<Record<string, string>> = { full: "full", diff: "differential", incr: "incremental" };

function parse(args: readonly string[]): ParsedArguments {
  return parseArguments(args, valued);
}

export function recognise({ args, environment, host }: Invocation): Recognition {
  const parsed = parse(args);
  const command = parsed.operands.find(({ value }) => commands.has(value))?.value ?? "help";
  const backupType = backupTypes[optionValue(parsed, "--type") || environment.PGBACKREST_TYPE || "incr"];
  const stanza = optionValue(parsed, "--stanza") || environment.PGBACKREST_STANZA;
  const common = {
    entity: { type: "database", value: stanza || host },
    command,
    stdoutIsData: command === "repo-get",
    politeSignal: "SIGTERM" as const,
  };
  if (command === "backup") {
    return { category: "backup", type: `pgbackrest_${backupType ?? "incremental"}_backup`, ...common };
  }
  const category = command === "restore" ? "restore" : "system";
  return { category, type: `pgbackrest_${command.replaceAll("-", "_")}`, ...common };
}
