import { parseArguments } from "../arguments";
import type { Invocation, Recognition } from "../engine";

const valued = {
  long: new Set([
    "config-file",
    "password",
    "log-level",
    "log-dir",
    "file-log-level",
    "description",
    "tags",
    "parallel",
  ]),
  short: "p",
};

export function recognise({ args, host }: Invocation): Recognition {
  const [command = "help", action] = parseArguments(args, valued).operands.map(({ value }) => value);
  const isSnapshot = /^snap(shot)?$/.test(command) && action === "create";
  const isRestore = command === "restore" || (/^snap(shot)?$/.test(command) && action === "restore");
  const name = isSnapshot ? "snapshot" : isRestore ? "restore" : command.replaceAll("-", "_");
  return {
    category: isSnapshot ? "backup" : isRestore ? "restore" : "system",
    type: `kopia_${name}`,
    entity: { type: "host", value: host },
    command: name,
    stdoutIsData: command === "show",
    politeSignal: "SIGINT",
  };
}
