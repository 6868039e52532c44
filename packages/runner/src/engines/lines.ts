import type { Progress, Reading, StreamReader } from "./engine";

/** How much of a line is held back at most. What is longer is passed on in pieces, unread. */
export const longestHeld = 262_144;
/** How much of a line that is passed on at once is kept to be looked at. */
const longestLookedAt = 8192;
const newline = 10;

/** What becomes of a line that was held back. Left out: it is passed on, or logged, as it is. */
export interface Turned {
  passOn?: string;
  log?: string;
  progress?: Progress | undefined;
}

export interface LineRules {
  /** Whether a line that begins with this byte is held back until it is whole. */
  isHeld(firstByte: number): boolean;
  /** A line that was held back, with its line end. */
  turn(line: string): Turned;
  /** A line, or its beginning, that was passed on already. */
  notice(line: string): Progress | undefined;
}

const nothing = new Uint8Array(0);

/** Reads a stream line by line. Memory is bounded however long a line is. */
export function createLineReader(rules: LineRules): StreamReader {
  const logged = new TextDecoder("utf-8", { ignoreBOM: true });
  const whole = new TextDecoder("utf-8", { ignoreBOM: true });
  let state: "start" | "held" | "passed" = "start";
  let kept: Uint8Array[] = [];
  let keptLength = 0;

  const keep = (part: Uint8Array, most: number) => {
    if (keptLength >= most) return;
    const some = part.slice(0, most - keptLength);
    kept.push(some);
    keptLength += some.length;
  };
  const takeKept = () => {
    const line = concatenate(kept);
    kept = [];
    keptLength = 0;
    return line;
  };

  const readPart = (part: Uint8Array, isWhole: boolean, out: Output) => {
    if (state === "start") state = rules.isHeld(part[0] ?? newline) ? "held" : "passed";
    if (state === "held" && keptLength + part.length > longestHeld) {
      const released = takeKept();
      out.pass(released, logged);
      keep(released, longestLookedAt);
      state = "passed";
    }
    if (state === "passed") {
      out.pass(part, logged);
      keep(part, longestLookedAt);
      if (isWhole) out.progress(rules.notice(whole.decode(takeKept())));
    } else {
      keep(part, longestHeld);
      if (isWhole) finishHeld(out);
    }
    if (isWhole) state = "start";
  };
  const finishHeld = (out: Output) => {
    const bytes = takeKept();
    const { passOn, log, progress } = rules.turn(whole.decode(bytes));
    out.progress(progress);
    if (passOn === undefined && log === undefined) out.pass(bytes, logged);
    else out.turned(passOn === undefined ? bytes : new TextEncoder().encode(passOn), log ?? passOn ?? "");
  };

  return {
    read(chunk) {
      const out = createOutput();
      for (let from = 0; from < chunk.length; ) {
        const end = chunk.indexOf(newline, from);
        const to = end < 0 ? chunk.length : end + 1;
        readPart(chunk.subarray(from, to), end >= 0, out);
        from = to;
      }
      return out.reading();
    },
    end() {
      const out = createOutput();
      if (state === "held") finishHeld(out);
      if (state === "passed") out.progress(rules.notice(whole.decode(takeKept())));
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
      passOn: concatenate(passed),
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
