import { optionValue, type ParsedArguments, parseArguments, savesNothing } from "../arguments";
import type { Invocation, Recognition } from "../engine";
import { nameOperation } from "../operation";
import { absolutePath, onHost } from "../places";

const valued = {
  long: new Set(
    `stanza config config-path config-include-path type set repo repo1-path pg1-path lock-path log-level-console
     log-level-file log-level-stderr log-path process-max target target-action buffer-size
     pg1-host`.split(/\s+/),
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

export function recognise(invocation: Invocation): Recognition {
  const { args, environment, host } = invocation;
  const parsed = parse(args);
  const command = parsed.operands.find(({ value }) => commands.has(value))?.value ?? "help";
  const backupType = backupTypes[optionValue(parsed, "--type") || environment.PGBACKREST_TYPE || "incr"];
  const stanza = optionValue(parsed, "--stanza") || environment.PGBACKREST_STANZA;
  // A database elsewhere belongs to that host, whichever host its backup runs on.
  const place = optionValue(parsed, "--pg1-host") || environment.PGBACKREST_PG1_HOST || host;
  const type = `pgbackrest_${command === "backup" ? `${backupType ?? "incremental"}_backup` : command.replaceAll("-", "_")}`;
  const path = optionValue(parsed, "--repo1-path") || environment.PGBACKREST_REPO1_PATH;
  const number = optionValue(parsed, "--repo") || environment.PGBACKREST_REPO;
  const common = {
    type,
    entity: { type: "database", value: stanza ? onHost(place, stanza) : place },
    operation: nameOperation(type, {
      sources: stanza ? [stanza] : [],
      repository: path ? absolutePath(path, invocation) : number && `repo${number}`,
    }),
    command,
    stdoutIsData: command === "repo-get",
    politeSignal: "SIGTERM" as const,
  };
  const isWork = (command === "backup" || command === "restore") && !savesNothing(parsed);
  return { category: isWork ? command : "system", ...common };
}
