import type { Progress } from "../engines/engine";
import type { Version } from "../engines/versions";
import { askProgram } from "../system/orphans";
import type { PreparedRun } from "./prepare-run";

const answerTimeoutMs = 10_000;

/** Asks an engine beside its run how far it is, where that is the only way. Gives what ends the asking. */
export function pollProgress(
  { recognised: { engine, invocation }, program, environment }: PreparedRun,
  version: Version | undefined,
  onProgress: (progress: Progress) => void,
): () => void {
  const { poll } = engine;
  if (!poll || program === undefined) return () => {};
  const ask = () => {
    const options = { timeout: answerTimeoutMs, env: { ...environment } };
    askProgram(program, poll.args(invocation, version), options, (error, stdout) => {
      const progress = error ? undefined : poll.read(stdout);
      if (progress) onProgress(progress);
    });
  };
  const timer = setInterval(ask, poll.everySeconds * 1000);
  return () => clearInterval(timer);
}
