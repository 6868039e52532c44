import { hasOption } from "../arguments";
import { createDiagnostics } from "../diagnostics";
import type { Addition, Invocation, Progress, Reader, ReaderRequest } from "../engine";
import { createLineReader } from "../lines";
import { writesEnglish } from "../locale";
import { createSilentStream } from "../plain-reader";
import { percentageOf } from "../progress-text";
import { errorLine, signs } from "./errors";
import { parsePostgres } from "./recognise";

/** Only pg_basebackup counts what it has done. */
export function additions(invocation: Invocation): Addition | undefined {
  if (invocation.program !== "pg_basebackup") return undefined;
  const parsed = parsePostgres(invocation);
  const isAgainst = hasOption(parsed, "-P", "--progress", "-v", "--verbose", "-V", "--version", "-?", "--help");
  // Its lines are translated, and could not be recognised then.
  if (isAgainst || !writesEnglish(invocation.environment)) return undefined;
  return { flags: ["-P"], at: 0, environment: {}, isExact: true };
}

const waiting = "waiting for checkpoint";
const counted = /^ *(\d+)\/(\d+) kB \(\d+%\), (\d+\/\d+) tablespaces?(?: \(.*\))?$/;
const [space, zero, nine, w] = [32, 48, 57, 119];

export function createReader({ hasAdditions, invocation }: ReaderRequest): Reader {
  const diagnostics = createDiagnostics(signs, errorLine);
  const countsProgress = invocation.program === "pg_basebackup";
  const stderr = createLineReader({
    isHeld: (first) => countsProgress && (first === space || first === w || (first >= zero && first <= nine)),
    turn(line) {
      const progress = progressOf(line.trimEnd());
      if (progress === undefined) diagnostics.note(line);
      if (progress === undefined) return {};
      return { passthrough: hasAdditions ? "" : line, log: "", progress };
    },
    notice(line) {
      diagnostics.note(line);
      return undefined;
    },
  });
  return { stdout: createSilentStream(), stderr, diagnostics };
}

function progressOf(line: string): Progress | undefined {
  if (line === waiting) return { message: waiting };
  const [, done, total, tablespaces] = line.match(counted) ?? [];
  if (done === undefined || total === undefined) return undefined;
  const percentage = percentageOf(Number(done), Number(total));
  const message = `${done} of ${total} kB, ${tablespaces} tablespaces`;
  return percentage === undefined ? { message } : { percentage, message };
}
