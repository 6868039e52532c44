import type { Invocation, Recognition } from "../engine";

export function recognise({ host }: Invocation): Recognition {
  return {
    category: "backup",
    type: "command_run",
    entity: { type: "host", value: host },
    stdoutIsData: false,
    politeSignal: "SIGTERM",
  };
}
