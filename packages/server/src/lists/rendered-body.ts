/** JSON as text, or as the bytes of it where the database has written them. */
export type Written = string | Uint8Array<ArrayBuffer>;

/** What was written to answer a call. */
export interface RenderedBody {
  body: Written;
  /** What the ETag speaks of, where that is not the whole body. */
  etagSource?: Written;
  /** Whether it holds now, so that it may be kept until anything is committed; what a replica gives may be older. */
  isCurrent: boolean;
}

export function bytesOf(written: Written): Uint8Array<ArrayBuffer> {
  return typeof written === "string" ? Buffer.from(written) : written;
}

export function textOf(written: Written): string {
  return typeof written === "string" ? written : new TextDecoder().decode(written);
}
