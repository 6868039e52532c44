import type { ErrorCode } from "../error-codes";

/** Words by which an engine shows what went wrong. The first that fits decides. */
export interface Sign {
  pattern: RegExp;
  code: ErrorCode;
}

/** Maximum length of a message, in characters. */
const maxMessageLength = 2000;
const maxMissing = 1000;

/** Messages of a run that matter for its ending. Its size is bounded, whatever comes. */
export interface Diagnostics {
  /** Looks at a line of the engine. */
  note(line: string): void;
  /** Notes a code that the engine has named itself. */
  noteCode(code: ErrorCode, line: string): void;
  /** Notes that a source does not exist. */
  noteMissing(source: string): void;
  /** The first line that spoke of a code. */
  lineOf(code: ErrorCode): string | undefined;
  /** The code of the first of the engine's signs that was seen. */
  code(): ErrorCode | undefined;
  /** The last line that reads like an error, or else the last line. */
  lastErrorLine(): string | undefined;
  missing: ReadonlySet<string>;
  /** Summary of its work that the engine prints at the end. */
  summary: string | undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would take for commands is no text.
const escapes = /\u001b\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f]/g;

/** Makes a line fit for a message: no terminal commands, not too long. */
export function cleanLine(line: string): string {
  // Most lines are short and plain, and there may be a million of them.
  const trimmed = line.trim();
  if (trimmed.length <= maxMessageLength && !/\p{Cc}/u.test(trimmed)) return trimmed;
  return line
    .slice(0, 2 * maxMessageLength)
    .replace(escapes, "")
    .trim()
    .slice(0, maxMessageLength);
}

export function createDiagnostics(signs: readonly Sign[], errorLine: RegExp): Diagnostics {
  // One pattern for all, so that a usual line costs one test.
  const any = new RegExp(signs.map(({ pattern }) => pattern.source).join("|"), "i");
  const lines = new Map<ErrorCode, string>();
  const missing = new Set<string>();
  let lastError: string | undefined;
  let last: string | undefined;

  const noteCode = (code: ErrorCode, line: string) => {
    if (!lines.has(code)) lines.set(code, line);
  };
  return {
    missing,
    summary: undefined,
    noteCode: (code, line) => noteCode(code, cleanLine(line)),
    note(text) {
      const line = cleanLine(text);
      if (line === "") return;
      last = line;
      if (errorLine.test(line)) lastError = line;
      if (!any.test(line)) return;
      const sign = signs.find(({ pattern }) => pattern.test(line));
      if (sign !== undefined) noteCode(sign.code, line);
    },
    noteMissing(source) {
      if (missing.size < maxMissing) missing.add(source.slice(0, 4096));
    },
    lineOf: (code) => lines.get(code),
    code: () => signs.find(({ code }) => lines.has(code))?.code ?? [...lines.keys()][0],
    lastErrorLine: () => lastError ?? last,
  };
}
