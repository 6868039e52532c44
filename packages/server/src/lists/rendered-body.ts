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

/** Makes one piece of what was written. Nothing of that can be read any more afterwards. */
export function intoBytes(written: Written): Uint8Array<ArrayBuffer> {
  const body = joined(written);
  release(piecesOf(written));
  return body;
}

/** Frees the memory of large pieces for the next page, instead of waiting for the garbage collector. */
export function release(pieces: readonly Piece[]): void {
  for (const piece of pieces) {
    if (typeof piece !== "string" && piece.length > sharedAtMost) piece.buffer.transfer(0);
  }
}

/** How many bytes something is that was written. */
export function sizeOf(written: Written): number {
  return piecesOf(written).reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
}

/** The same bytes in one piece. */
export function joined(written: Written): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts = piecesOf(written).map((piece) => (typeof piece === "string" ? encoder.encode(piece) : piece));
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
