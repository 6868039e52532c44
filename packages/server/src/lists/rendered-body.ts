/** JSON as text, or in pieces that follow each other: those that the database has written are bytes. */
export type Written = string | readonly Piece[];

export type Piece = string | Uint8Array<ArrayBuffer>;

/** What was written to answer a call. */
export interface RenderedBody {
  body: Written;
  /** What the ETag speaks of, where that is not the whole body. */
  etagSource?: Written;
  /** Whether it holds now, so that it may be kept until anything is committed; what a replica gives may be older. */
  isCurrent: boolean;
}

/** Bytes that are more have their memory for themselves. */
export const sharedAtMost = 16_384;

/**
 * Makes a body of what was written, which cannot be read any more afterwards: its memory is free for the next page, instead of
 * waiting for the garbage collector.
 */
export function intoBytes(written: Written): Uint8Array<ArrayBuffer> {
  const pieces = piecesOf(written);
  const body = joined(pieces);
  for (const piece of pieces) {
    if (typeof piece !== "string" && piece.length > sharedAtMost) piece.buffer.transfer(0);
  }
  return body;
}

function joined(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts = pieces.map((piece) => (typeof piece === "string" ? encoder.encode(piece) : piece));
  const body = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    body.set(part, at);
    at += part.length;
  }
  return body;
}

export function piecesOf(written: Written): readonly Piece[] {
  return typeof written === "string" ? [written] : written;
}

export function textOf(written: Written): string {
  const decoder = new TextDecoder();
  return piecesOf(written)
    .map((piece) => (typeof piece === "string" ? piece : decoder.decode(piece)))
    .join("");
}
