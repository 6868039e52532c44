import type { Progress, Reading, StreamReader } from "./engine";

/** Maximum number of bytes of a line that are held back. A longer line is passed on in pieces, unread. */
export const maxHeldBytes = 262_144;
/** Maximum number of bytes of a passed-on line that are kept for reading. */
const maxReadBytes = 8192;
const newline = 10;

/** Result for a line that was held back. Left out: it is passed on, or logged, as it is. */
export interface HeldLineResult {
  passthrough?: string;
  log?: string;
  progress?: Progress | undefined;
}

export interface LineRules {
  /** Returns true if a line that begins with this byte is held back until it is whole. By default, no line is. */
  isHeld?(firstByte: number): boolean;
  /** A line that was held back, with its line end. */
  turn?(line: string): HeldLineResult;
  /** A line, or its beginning, that was passed on already. Left out: these lines are not looked at. */
  notice?(line: string): Progress | undefined;
}

const nothing = new Uint8Array(0);

/**
 * Reads a stream line by line. Memory is bounded however long a line is. Lines that are passed on are passed on together:
 * a command that writes a million short ones must not wait for each of them.
 */
export function createLineReader({ isHeld, turn, notice }: LineRules): StreamReader {
  const logged = new TextDecoder("utf-8", { ignoreBOM: true });
  const whole = new TextDecoder("utf-8", { ignoreBOM: true });
  let state: "start" | "held" | "passed" = "start";
  let kept: Uint8Array[] = [];
  let keptLength = 0;

  const keep = (part: Uint8Array, max: number) => {
    if (keptLength >= max) return;
    const some = part.slice(0, max - keptLength);
    kept.push(some);
    keptLength += some.length;
  };
  const takeKept = () => {
    const line = concatenate(kept);
    kept = [];
    keptLength = 0;
    return line;
  };

  /** Passes on what may be many lines, the first and the last of which may be parts of lines. */
  const passLines = (bytes: Uint8Array, out: Output) => {
    out.pass(bytes, logged);
    state = bytes.at(-1) === newline ? "start" : "passed";
    if (notice === undefined) return;
    let from = 0;
    if (keptLength > 0) {
      from = bytes.indexOf(newline) + 1 || bytes.length;
      keep(bytes.subarray(0, from), maxReadBytes);
      if (bytes[from - 1] === newline) out.progress(notice(whole.decode(takeKept())));
    }
    const to = bytes.lastIndexOf(newline) + 1;
    const text = to > from ? whole.decode(bytes.subarray(from, to)) : "";
    for (let at = 0; at < text.length; ) {
      const next = text.indexOf("\n", at) + 1;
      out.progress(notice(text.slice(at, Math.min(next, at + maxReadBytes))));
      at = next;
    }
    if (state === "passed" && to >= from) keep(bytes.subarray(to), maxReadBytes);
  };

  /** Holds back a line, or the part of it that is there; one that is too long is passed on. */
  const holdLine = (part: Uint8Array, out: Output) => {
    if (keptLength + part.length > maxHeldBytes) {
      passLines(concatenate([takeKept(), part]), out);
      return;
    }
    state = "held";
    keep(part, maxHeldBytes);
    if (part.at(-1) !== newline) return;
    finishHeld(out);
    state = "start";
  };
  const finishHeld = (out: Output) => {
    const bytes = takeKept();
    const { passthrough, log, progress } = turn?.(whole.decode(bytes)) ?? {};
    out.progress(progress);
    if (passthrough === undefined && log === undefined) out.pass(bytes, logged);
    else
      out.turned(passthrough === undefined ? bytes : new TextEncoder().encode(passthrough), log ?? passthrough ?? "");
  };

  /** End of the lines that begin here and are passed on. */
  const endOfPassed = (chunk: Uint8Array, begin: number): number => {
    if (isHeld === undefined) return chunk.length;
    for (let at = begin; at < chunk.length; ) {
      const isStart = state === "start" || at > begin;
      if (isStart && isHeld(chunk[at] ?? newline)) return at;
      at = chunk.indexOf(newline, at) + 1 || chunk.length;
    }
    return chunk.length;
  };

  return {
    read(chunk) {
      const out = createOutput();
      for (let from = 0; from < chunk.length; ) {
        const passed = state === "held" ? from : endOfPassed(chunk, from);
        if (passed > from) passLines(chunk.subarray(from, passed), out);
        const to = passed < chunk.length ? chunk.indexOf(newline, passed) + 1 || chunk.length : passed;
        if (to > passed) holdLine(chunk.subarray(passed, to), out);
        from = to;
      }
      return out.reading();
    },
    end() {
      const out = createOutput();
      if (state === "held") finishHeld(out);
      if (state === "passed" && keptLength > 0) out.progress(notice?.(whole.decode(takeKept())));
      state = "start";
      out.log(logged.decode());
      return out.reading();
    },
  };
}

/** Gathers what a piece comes to. */
export interface Output {
  /** Passes bytes on, and logs them. */
  pass(bytes: Uint8Array, decoder: TextDecoder): void;
  turned(bytes: Uint8Array, log: string): void;
  log(text: string): void;
  progress(progress: Progress | undefined): void;
  reading(): Reading;
}

export function createOutput(): Output {
  const passed: Uint8Array[] = [];
  const texts: string[] = [];
  let latest: Progress | undefined;
  return {
    pass(bytes, decoder) {
      passed.push(bytes);
      texts.push(decoder.decode(bytes, { stream: true }));
    },
    turned(bytes, log) {
      passed.push(bytes);
      texts.push(log);
    },
    log: (text) => texts.push(text),
    progress(progress) {
      if (progress !== undefined) latest = { ...latest, ...progress };
    },
    // The log of a task is text without NUL.
    reading: () => ({
      passthrough: concatenate(passed),
      log: texts.join("").replaceAll("\0", "\u2400"),
      progress: latest,
    }),
  };
}

export function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 0) return nothing;
  if (parts.length === 1) return parts[0] ?? nothing;
  const all = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
