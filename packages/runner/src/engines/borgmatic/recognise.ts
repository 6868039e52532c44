import type { TaskCategory } from "@holdfast/api/resources/task-words";
import { parseArguments } from "../arguments";
import type { Invocation, Recognition } from "../engine";

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

export function recognise({ args, host }: Invocation): Recognition {
  // Without an action borgmatic creates, prunes, compacts and checks.
  const action = parseArguments(args, valued).operands[0]?.value ?? "create";
  return {
    category: categories[action] ?? "system",
    type: `borgmatic_${action.replaceAll("-", "_")}`,
    entity: { type: "host", value: host },
    command: action,
    stdoutIsData: false,
    politeSignal: "SIGINT",
  };
}
