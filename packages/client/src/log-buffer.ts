/** A piece of a log as it is sent: where it begins, in bytes, and whether bytes before it are gone. */
export interface LogPiece {
  offset: number;
  text: string;
  gap?: boolean;
}

/** The part of a log that the service does not have yet. */
export interface LogBuffer {
  add(text: string): void;
  /** The next piece to send; the same one until it was sent. */
  next(): LogPiece | undefined;
  sent(piece: LogPiece | undefined): void;
  /** Says that the service lacks what comes before the next piece. */
  noteGap(): void;
  isEmpty(): boolean;
  hasMoreThanOnePiece(): boolean;
}

/** No piece has more bytes than the service takes: three for each of these, at most. */
const longestPiece = 64 * 1024;
/** While the service is away, so much is kept. */
const mostKept = 1024 * 1024;

/** So much is dropped at once, so that a program that logs a lot is not held up by it each time. */
const leastDropped = mostKept / 8;

/** Makes an empty buffer. What is too much to keep is dropped at the front, and the next piece says that there is a gap. */
export function createLogBuffer(): LogBuffer {
  const encoder = new TextEncoder();
  let offset = 0;
  let text = "";
  let hasGap = false;
  let piece: LogPiece | undefined;

  function drop(length: number): void {
    offset += encoder.encode(text.slice(0, length)).length;
    text = text.slice(length);
  }

  return {
    add(more) {
      // The service refuses NUL and halves of characters.
      text += more.toWellFormed().replaceAll("\0", "\u2400");
      if (text.length <= mostKept) return;
      drop(wholeCharacters(text, text.length - mostKept + leastDropped));
      hasGap = true;
      piece = undefined;
    },
    next() {
      if (text === "") return undefined;
      piece ??= {
        offset,
        text: text.slice(0, wholeCharacters(text, longestPiece)),
        ...(hasGap ? { gap: true } : {}),
      };
      return piece;
    },
    sent(one) {
      // A piece that was dropped while it was under way is behind us already.
      if (!one || one !== piece) return;
      drop(one.text.length);
      hasGap = false;
      piece = undefined;
    },
    noteGap() {
      hasGap = true;
      piece = undefined;
    },
    isEmpty: () => text === "",
    hasMoreThanOnePiece: () => text.length > longestPiece,
  };
}

/** How much of a text to take so that no character is cut in two. */
function wholeCharacters(text: string, length: number): number {
  const last = text.charCodeAt(length - 1);
  return length < text.length && last >= 0xd800 && last <= 0xdbff ? length - 1 : length;
}
