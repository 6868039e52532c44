import { sizeText } from "../../texts/numbers";

/** A part of a log, as the service answers it. */
interface LogPart {
  text: string;
  next_offset: number;
  size: number;
  dropped: { from: number; to: number } | null;
}

/** Asks the service for a part of a log. */
export type ReadPart = (query: { offset: number; limit: number } | { tail: number }) => Promise<LogPart>;

/** Part of a log that was read. */
export interface ReadLog {
  /** With a line where bytes are missing. */
  text: string;
  /** Offset of the next read. */
  next: number;
  size: number;
  /** True if it begins at the requested offset and nothing is missing. */
  isWhole: boolean;
}

const partBytes = 1_048_576;
/** More is not shown: its end is what people look for. */
const maxCharacters = 2 * partBytes;
/** Each gap takes a request of its own. */
const maxParts = 16;

/** Reads a log from a position to its end. Of one that is too long, only the end is read. */
export async function readLogText(readPart: ReadPart, from: number): Promise<ReadLog> {
  let text = "";
  let next = from;
  let isWhole = true;
  for (let parts = 0; parts < maxParts && text.length < maxCharacters; parts++) {
    const part = await readPart({ offset: next, limit: partBytes });
    text += gapBefore(part, text) + part.text;
    isWhole &&= part.dropped === null;
    next = part.next_offset;
    if (next >= part.size) return { text, next, size: part.size, isWhole };
  }
  const end = await readPart({ tail: partBytes });
  const shown = "[Only the end is shown here. Download the log to read all of it.]\n";
  return { text: shown + gapBefore(end, shown) + end.text, next: end.next_offset, size: end.size, isWhole: false };
}

/** A line that says how much is missing before a part. */
function gapBefore({ dropped }: LogPart, before: string): string {
  if (dropped === null) return "";
  const lineEnd = before === "" || before.endsWith("\n") ? "" : "\n";
  return `${lineEnd}[${sizeText(dropped.to - dropped.from)} are missing here]\n`;
}
