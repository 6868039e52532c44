import { refuse, refuseField } from "@holdfast/api/conventions/api-error";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import type { LogPiece } from "@holdfast/api/resources/task-logs";

/** A part of a log: where it begins and ends, in bytes of UTF-8. */
export interface StoredPiece {
  starts_at: number;
  ends_at: number;
  text: string;
}

/** Refuses text that cannot be stored, or is too large. */
export function requireLogText({ text }: LogPiece, field: string): void {
  if (Buffer.byteLength(text) > textLimits.log) {
    throw refuseField("bodyInvalid", field, `The field "text" has to be at most ${textLimits.log} bytes.`);
  }
  if (text.includes("\0") || !text.isWellFormed()) {
    throw refuseField(
      "bodyInvalid",
      field,
      'The field "text" has to be free of NUL characters and of halves of characters. Send U+2400 and U+FFFD instead.',
    );
  }
}

/** The part of a piece that lies beyond the end of the log; undefined where all of it is known already. */
export function newPart({ offset, text, gap = false }: LogPiece, size: number): StoredPiece | undefined {
  if (offset > size && !gap) {
    throw refuse("logGap", `The log ends at byte ${size}. Send what follows from there, or say that it is gone: gap.`, {
      "Upload-Offset": String(size),
    });
  }
  const bytes = Buffer.from(text);
  const known = Math.max(0, size - offset);
  if (known >= bytes.length) return undefined;
  if (!isBoundary(bytes, known)) {
    throw refuseField("bodyInvalid", "/offset", `The log ends at byte ${size}, which is inside of a character here.`);
  }
  const starts_at = Math.max(size, offset);
  return { starts_at, ends_at: offset + bytes.length, text: bytes.toString("utf8", known) };
}

/** The part of a piece between two positions, without the halves of characters at its ends. */
export function cutPiece({ starts_at, ends_at, text }: StoredPiece, from: number, to: number): StoredPiece {
  if (from <= starts_at && to >= ends_at) return { starts_at, ends_at, text };
  const bytes = Buffer.from(text);
  let first = Math.max(0, from - starts_at);
  let last = Math.min(bytes.length, to - starts_at);
  while (!isBoundary(bytes, first)) first += 1;
  while (last > first && !isBoundary(bytes, last)) last -= 1;
  last = Math.max(first, last);
  return { starts_at: starts_at + first, ends_at: starts_at + last, text: bytes.toString("utf8", first, last) };
}

/** True if a character begins at a position, or the text ends there. */
function isBoundary(bytes: Buffer, at: number): boolean {
  const byte = bytes[at];
  return byte === undefined || (byte & 0xc0) !== 0x80;
}

/** Which bytes of a log are not kept: those after its first quarter and before its last three. */
export function droppedMiddle(size: number, limit: number): { from: number; to: number } | undefined {
  const head = Math.floor(limit / 4);
  const to = size - (limit - head);
  return to > head ? { from: head, to } : undefined;
}
