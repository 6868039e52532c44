import type { Masker } from "../masker";

/** A piece of a log as it is reported: where it begins, in bytes, and whether bytes before it are gone. */
export interface LogPiece {
  offset: number;
  text: string;
  gap?: true;
}

type StreamName = "stdout" | "stderr";

/**
 * The log of a run until it is reported. Its size is bounded, however fast the command writes: the beginning of the log is
 * kept, and the newest of what came since the last report. The middle is left out, and the next piece says so.
 */
export interface LogBuffer {
  /** Adds what a stream has written. */
  add(stream: StreamName, text: string): void;
  /** Notes that a stream has ended: what could have been the beginning of a secret is none. */
  end(stream: StreamName): void;
  /** Takes what is to be reported, without secrets. */
  take(): LogPiece[];
}

/**
 * Minimum size of each end of the log that is kept, in bytes. The service gets the first 64 KiB and the last 256 KiB of every log.
 * There is more of the beginning, as what looks like the beginning of a secret is left out before a gap.
 */
export const logBufferBytes = { head: 80 * 1024, tail: 512 * 1024 } as const;

/** Maximum size of one report, in characters. */
const maxPiece = 16 * 1024;
/** Size of the omitted text that is still masked, in characters, to find a secret that begins there. */
const edge = 16_384;

interface Stream {
  masker: Masker;
  /** The end of what was left out, if anything was. */
  leftOut: string | undefined;
}

interface Entry {
  stream: Stream;
  text: string;
  bytes: number;
  isEnd: boolean;
}

/** Makes an empty buffer. Text is masked when it is taken: what is left out of a flood costs nothing. */
export function createLogBuffer(
  createMasker: () => Masker,
  bytes: { head: number; tail: number } = logBufferBytes,
): LogBuffer {
  const createStream = (): Stream => ({ masker: createMasker(), leftOut: undefined });
  const streams = { stdout: createStream(), stderr: createStream() };
  let headLeft = bytes.head;
  let head: Entry[] = [];
  let tail: Entry[] = [];
  /** Number of entries of the tail that are already omitted. */
  let skipped = 0;
  let tailBytes = 0;
  let leftOutBytes = 0;
  let offset = 0;
  let hasGap = false;

  function put(entry: Entry): void {
    if (headLeft > 0) {
      headLeft -= entry.bytes;
      head.push(entry);
      return;
    }
    const last = tail.length > skipped ? tail.at(-1) : undefined;
    tailBytes += entry.bytes;
    if (last && last.stream === entry.stream && !last.isEnd && last.bytes < maxPiece) {
      last.text += entry.text;
      last.bytes += entry.bytes;
      last.isEnd = entry.isEnd;
    } else tail.push(entry);
    leaveOut();
  }

  /** Leaves out the oldest of the tail as soon as enough is left without it. */
  function leaveOut(): void {
    for (let first = tail[skipped]; first && tailBytes - first.bytes >= bytes.tail; first = tail[skipped]) {
      const { stream, text } = first;
      stream.leftOut = endOf(stream.leftOut ?? "", text);
      tailBytes -= first.bytes;
      leftOutBytes += first.bytes;
      skipped += 1;
    }
    if (skipped < 16 || skipped * 2 < tail.length) return;
    tail = tail.slice(skipped);
    skipped = 0;
  }

  /** Text that a masker holds back may be the beginning of a secret, so it is omitted with the rest. */
  function passGap(): void {
    for (const stream of Object.values(streams)) {
      if (stream.leftOut === undefined) continue;
      offset += Buffer.byteLength(stream.masker.end());
      // The new masker may hold back the end of what is left out: it stands behind the gap then.
      const held = createMasker();
      held.push(stream.leftOut);
      offset -= Buffer.byteLength(held.end());
      stream.masker = createMasker();
      stream.masker.push(stream.leftOut);
      stream.leftOut = undefined;
    }
    offset += leftOutBytes;
    hasGap ||= leftOutBytes > 0;
    leftOutBytes = 0;
  }

  const mask = ({ stream, text, isEnd }: Entry) => stream.masker.push(text) + (isEnd ? stream.masker.end() : "");

  function cut(entries: readonly Entry[]): LogPiece[] {
    const pieces: LogPiece[] = [];
    const masked = entries.map(mask).join("").toWellFormed().replaceAll("\0", "\u2400");
    for (let at = 0; at < masked.length; ) {
      const text = masked.slice(at, at + wholeCharacters(masked, at, maxPiece));
      pieces.push({ offset, text, ...(hasGap ? { gap: true } : {}) });
      hasGap = false;
      offset += Buffer.byteLength(text);
      at += text.length;
    }
    return pieces;
  }

  return {
    add(name, text) {
      if (text !== "") put({ stream: streams[name], text, bytes: Buffer.byteLength(text), isEnd: false });
    },
    end: (name) => put({ stream: streams[name], text: "", bytes: 0, isEnd: true }),
    take() {
      const first = cut(head);
      passGap();
      const last = cut(tail.slice(skipped));
      [head, tail] = [[], []];
      skipped = tailBytes = 0;
      return [...first, ...last];
    },
  };
}

/** The end of two texts: at least as much as is masked. In a flood, most pieces are long enough by themselves. */
function endOf(before: string, text: string): string {
  if (text.length >= edge) return text;
  const both = before + text;
  return both.length > 4 * edge ? both.slice(-edge) : both;
}

/** Returns the length to take of a text so that no character is cut in two. */
function wholeCharacters(text: string, from: number, length: number): number {
  const last = text.charCodeAt(from + length - 1);
  return from + length < text.length && last >= 0xd800 && last <= 0xdbff ? length - 1 : length;
}
