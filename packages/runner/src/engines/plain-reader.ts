import type { Diagnostics } from "./diagnostics";
import type { Reader, StreamReader } from "./engine";
import { createLineReader } from "./lines";

/** A stream that is passed on as it comes, and in which no words are looked for. */
export function createSilentStream(): StreamReader {
  return createLineReader({});
}

/** The stream of an engine's errors, as text. */
export function createErrorStream(diagnostics: Pick<Diagnostics, "note">): StreamReader {
  return createLineReader({
    notice(line) {
      diagnostics.note(line);
      return undefined;
    },
  });
}

/** The reader of an engine that shows no progress. */
export function createPlainReader(diagnostics: Diagnostics): Reader {
  return { stdout: createSilentStream(), stderr: createErrorStream(diagnostics), diagnostics };
}
