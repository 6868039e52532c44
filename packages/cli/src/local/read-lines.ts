const newline = 0x0a;

/** A line of text with its number, or what is wrong with its bytes. */
export type TextLine = { number: number; text: string } | { number: number; problem: string };

export const maxLineLength = 1024 * 1024;

/** Cuts a stream of bytes into lines, a piece at a time, so that a file of any size fits into memory. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine[]> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let number = 0;
  let held: Uint8Array[] = [];
  let heldLength = 0;
  const finish = (end: Uint8Array): TextLine => {
    number++;
    const length = heldLength + end.length;
    const bytes = held.length === 0 ? end : Buffer.concat([...held, end]);
    held = [];
    heldLength = 0;
    if (length > maxLineLength) return { number, problem: `a line has to be at most ${maxLineLength} bytes long` };
    try {
      return { number, text: decoder.decode(bytes) };
    } catch {
      return { number, problem: "this is not UTF-8 text" };
    }
  };
  for await (const chunk of chunks) {
    const lines: TextLine[] = [];
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      lines.push(finish(chunk.subarray(from, at)));
      from = at + 1;
    }
    const rest = chunk.subarray(from);
    heldLength += rest.length;
    // Of a line that is too long already only the length is of interest.
    if (heldLength <= maxLineLength) held.push(rest);
    else held = [];
    yield lines;
  }
  if (heldLength > 0) yield [finish(new Uint8Array())];
}
