import { hasOption } from "../arguments";
import { createDiagnostics, type Diagnostics } from "../diagnostics";
import type { Addition, Circumstances, Invocation, Progress, Reader, ReaderRequest, StreamReader } from "../engine";
import { concatenate, createOutput, type Output } from "../lines";
import { createErrorStream, createSilentStream } from "../plain-reader";
import { isAtLeast } from "../versions";
import { errorLine, signs } from "./errors";
import { parseRsync } from "./recognise";

const against = [
  ...["--progress", "-P", "--info", "--verbose", "-v", "--itemize-changes", "-i", "--out-format", "--log-format"],
  ...["--quiet", "-q", "--list-only", "--daemon", "--server", "--version", "-V", "--help", "--outbuf", "--stderr"],
  ...["--msgs2stderr", "--no-msgs2stderr", "--debug"],
];

export function additions({ args }: Invocation, { version }: Circumstances): Addition | undefined {
  const parsed = parseRsync(args);
  // With one place rsync lists files and copies none.
  if (parsed.operands.length < 2 || hasOption(parsed, ...against) || !isAtLeast(version, [3, 1])) return undefined;
  return { flags: ["--info=progress2"], at: 0, environment: {}, isExact: true };
}

export function createReader({ hasAdditions, invocation }: ReaderRequest): Reader {
  const diagnostics = createDiagnostics(signs, errorLine);
  const own = parseRsync(invocation.args).options.get("--info") ?? [];
  const isInPassing = own.some((value) => value.includes("progress2"));
  return {
    stdout: hasAdditions || isInPassing ? createPieceReader(hasAdditions) : createSilentStream(),
    stderr: hasAdditions ? createErrorsAfterPieces(diagnostics) : createErrorStream(diagnostics),
    diagnostics,
  };
}

const [carriageReturn, newline] = [13, 10];
/** Longer than any piece: so much is held back after a carriage return, at most. */
const maxPieceLength = 160;
const piece =
  /^\r *[\d.,]+[KMGTP]? +(\d+)% +[\d.,]+[kMGTP]?B\/s +(?:\d+:\d\d:\d\d|\?+:\?+:\?+)(?: {2}| \((?:xfr|xfer)#(\d+), (?:to|ir)-chk=\d+\/\d+\)) */;

/**
 * Reads the pieces of `--info=progress2`. Each begins with a carriage return and has no line end; rsync writes one before
 * what it says next. Both are taken out where we asked for them.
 */
function createPieceReader(isTakenOut: boolean): StreamReader {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let held: Uint8Array[] = [];
  let heldLength = 0;
  let isAfterPiece = false;

  const settle = (out: Output) => {
    if (heldLength === 0) return;
    const bytes = concatenate(held);
    held = [];
    heldLength = 0;
    const found = Buffer.from(bytes).toString("latin1").match(piece);
    if (found === null) {
      isAfterPiece = false;
      out.pass(bytes, decoder);
      return;
    }
    out.progress(progressOf(found));
    if (!isTakenOut) out.turned(bytes.subarray(0, found[0].length), "");
    const rest = bytes.subarray(found[0].length);
    isAfterPiece = rest.length === 0;
    if (rest.length > 0) out.pass(rest, decoder);
  };
  const readPart = (part: Uint8Array, out: Output) => {
    if (heldLength > 0 || part[0] === carriageReturn) {
      held.push(part.slice());
      heldLength += part.length;
      if (heldLength > maxPieceLength) settle(out);
      return;
    }
    const isEndOfPiece = isAfterPiece && part[0] === newline;
    isAfterPiece = false;
    if (isEndOfPiece && !isTakenOut) out.turned(part.subarray(0, 1), "");
    const rest = isEndOfPiece ? part.subarray(1) : part;
    if (rest.length > 0) out.pass(rest, decoder);
  };

  return {
    read(chunk) {
      const out = createOutput();
      for (let from = 0; from < chunk.length; ) {
        const byte = chunk[from];
        // Held bytes end before the next carriage return or line end.
        if (byte === carriageReturn || byte === newline) settle(out);
        const isHolding = heldLength > 0 || byte === carriageReturn;
        const to = isHolding ? endOfPiece(chunk, from + 1) : nextPiece(chunk, from + 1);
        readPart(chunk.subarray(from, to), out);
        from = to;
      }
      return out.reading();
    },
    end() {
      const out = createOutput();
      settle(out);
      out.log(decoder.decode());
      return out.reading();
    },
  };
}

/** Start of the next piece. Everything before it is passed on together. */
function nextPiece(chunk: Uint8Array, from: number): number {
  const at = chunk.indexOf(carriageReturn, from);
  return at < 0 ? chunk.length : at;
}

/** End of the held piece: before the next carriage return or line end, or as soon as it is too long for a piece. */
function endOfPiece(chunk: Uint8Array, from: number): number {
  const near = chunk.subarray(from, from + maxPieceLength);
  const length = near.findIndex((byte) => byte === carriageReturn || byte === newline);
  return from + (length < 0 ? near.length : length);
}

function progressOf([, share, files]: RegExpMatchArray): Progress {
  const percentage = Math.min(100, Number(share));
  return files === undefined
    ? { percentage }
    : { percentage, message: `${files} ${files === "1" ? "file" : "files"} copied` };
}

const ofRsync =
  /^(rsync|file has vanished|skipping|IO error|cannot|could not|WARNING|ERROR|ABORTING|deleting|symlink|\[)/i;
/** So much of the next line shows whether it is one of rsync's. */
const maxPrefixLength = 20;

/** Before an error that follows a piece, rsync ends the piece with a line end on stderr, which is taken out as well. */
function createErrorsAfterPieces(diagnostics: Diagnostics): StreamReader {
  const errors = createErrorStream(diagnostics);
  let isAtStart = true;
  let held = concatenate([]);

  const filter = (chunk: Uint8Array, isEnd: boolean) => {
    const bytes = concatenate([held, chunk]);
    const passed: Uint8Array[] = [];
    held = concatenate([]);
    for (let from = 0; from < bytes.length; ) {
      if (isAtStart && bytes[from] === newline) {
        const next = bytes.subarray(from + 1, from + 1 + maxPrefixLength);
        if (!isEnd && next.length < maxPrefixLength && !next.includes(newline)) {
          held = bytes.slice(from);
          break;
        }
        if (!ofRsync.test(Buffer.from(next).toString("latin1"))) passed.push(bytes.subarray(from, from + 1));
        from += 1;
      } else {
        const end = bytes.indexOf(newline, from);
        const to = end < 0 ? bytes.length : end + 1;
        passed.push(bytes.subarray(from, to));
        isAtStart = end >= 0;
        from = to;
      }
    }
    return concatenate(passed);
  };
  return {
    read: (chunk) => errors.read(filter(chunk, false)),
    end() {
      const last = errors.read(filter(concatenate([]), true));
      const end = errors.end();
      return { ...end, passthrough: concatenate([last.passthrough, end.passthrough]), log: last.log + end.log };
    },
  };
}
