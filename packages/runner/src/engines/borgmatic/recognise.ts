import type { TaskCategory } from "@holdfast/api/resources/task-words";
import { optionValue, parseArguments, savesNothing } from "../arguments";
import type { Invocation, Recognition } from "../engine";
import { nameOperation } from "../operation";
import { listedIn } from "../places";

const valued = {
  long: new Set(
    `config verbosity syslog-verbosity log-file-verbosity monitoring-verbosity log-file override repository archive
     destination path log-file-format`.split(/\s+/),
  ),
  short: "cv",
};
const categories: Readonly<Record<string, TaskCategory>> = {
  create: "backup",
  extract: "restore",
  restore: "restore",
  "export-tar": "restore",
};

export function recognise(invocation: Invocation): Recognition {
  const { args, host } = invocation;
  const parsed = parseArguments(args, valued);
  // Without an action borgmatic creates, prunes, compacts and checks.
  const action = parsed.operands[0]?.value ?? "create";
  const type = `borgmatic_${action.replaceAll("-", "_")}`;
  const configurations = [...(parsed.options.get("--config") ?? []), ...(parsed.options.get("-c") ?? [])];
  return {
    category: savesNothing(parsed, "-n", "-h") ? "system" : (categories[action] ?? "system"),
    type,
    entity: { type: "host", value: host },
    operation: nameOperation(type, {
      sources: listedIn(configurations, invocation),
      repository: optionValue(parsed, "--repository"),
    }),
    command: action,
    stdoutIsData: false,
    politeSignal: "SIGINT",
  };
}
