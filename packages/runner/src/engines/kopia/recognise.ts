import { optionValue, parseArguments, savesNothing } from "../arguments";
import type { Invocation, Recognition } from "../engine";
import { nameOperation } from "../operation";
import { absolutePath, listedIn } from "../places";

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

export function recognise(invocation: Invocation): Recognition {
  const { args, environment, host } = invocation;
  const parsed = parseArguments(args, valued);
  const [command = "help", action, ...paths] = parsed.operands.map(({ value }) => value);
  const isSnapshot = /^snap(shot)?$/.test(command) && action === "create";
  const isRestore = command === "restore" || (/^snap(shot)?$/.test(command) && action === "restore");
  const name = isSnapshot ? "snapshot" : isRestore ? "restore" : command.replaceAll("-", "_");
  // A repository is known by the configuration that is connected to it.
  const configuration = optionValue(parsed, "--config-file") || environment.KOPIA_CONFIG_PATH || "";
  return {
    category: savesNothing(parsed) ? "system" : isSnapshot ? "backup" : isRestore ? "restore" : "system",
    type: `kopia_${name}`,
    entity: { type: "host", value: host },
    operation: nameOperation(`kopia_${name}`, {
      sources: isSnapshot ? paths.map((path) => absolutePath(path, invocation)) : [],
      repository: listedIn([configuration], invocation)[0],
    }),
    command: name,
    stdoutIsData: command === "show",
    politeSignal: "SIGINT",
  };
}
