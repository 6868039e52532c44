import type { Invocation, Recognition } from "../engine";
import { onHost } from "../places";
import { recogniseDump } from "./dump-programs";
import { scriptOf } from "./script-name";

/** An item of its own: a command that nobody knows says nothing about the rest of the host. */
export function recognise(invocation: Invocation): Recognition {
  const script = scriptOf(invocation);
  return (
    recogniseDump(invocation) ?? {
      category: "backup",
      type: "command_run",
      entity: { type: "script", value: onHost(invocation.host, script.name) },
      operation: script.operation,
      stdoutIsData: false,
      politeSignal: "SIGTERM",
    }
  );
}
