import type { Reader, StreamReader } from "./engine";
import { createLineReader } from "./lines";
import type { Seen } from "./seen";

/** A stream that is passed on as it comes, and in which no words are looked for. */
export function createSilentStream(): StreamReader {
  return createLineReader({});
}

/** The stream of an engine's errors, as text. */
export function createErrorStream(seen: Pick<Seen, "note">): StreamReader {
  return createLineReader({
    notice(line) {
      seen.note(line);
      return undefined;
    },
  });
}

/** The reader of an engine that shows no progress. */
export function createPlainReader(seen: Seen): Reader {
  return { stdout: createSilentStream(), stderr: createErrorStream(seen), seen };
}
