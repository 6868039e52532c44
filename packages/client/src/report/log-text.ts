/** A piece of a log: where it begins, in bytes, and its text. */
interface LogPiece {
  offset: number;
  text: string;
}

/** The log of a task while it is written. */
interface LogText {
  add(text: string): void;
  /** Passes on what was added. */
  flush(): void;
}

/** Maximum size of a piece, in characters. The service takes 1 MiB, and a character has at most three bytes. */
const maxPiece = 64 * 1024;

/** Makes pieces of a log of what is added to it. */
export function createLogText(onPiece: (piece: LogPiece) => void): LogText {
  const encoder = new TextEncoder();
  let offset = 0;
  let text = "";

  function pass(length: number): void {
    const piece = text.slice(0, length);
    text = text.slice(length);
    onPiece({ offset, text: piece });
    offset += encoder.encode(piece).length;
  }

  return {
    add(more) {
      // The service refuses NUL and halves of characters.
      text += more.toWellFormed().replaceAll("\0", "\u2400");
      while (text.length > maxPiece) pass(wholeCharacters(text, maxPiece));
    },
    flush() {
      if (text !== "") pass(text.length);
    },
  };
}

/** Length of the beginning of a text that does not cut a character in two. */
function wholeCharacters(text: string, length: number): number {
  const last = text.charCodeAt(length - 1);
  return last >= 0xd800 && last <= 0xdbff ? length - 1 : length;
}
