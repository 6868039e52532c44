import { sizeOf, type Written } from "../lists/rendered-body";

/**
 * What can be sent as a body. A stream is sent as it comes, for as long as it lasts; the headers go out with its first bytes,
 * so it should say something at once.
 */
export type ReplyBody = WholeBody | ReadableStream<Uint8Array> | null;

/**
 * A body that is all there, perhaps in pieces that follow each other. The runtime sends a Blob as often as it is asked for without
 * copying it.
 */
export type WholeBody = Written | Uint8Array<ArrayBuffer> | Blob;

/** How many bytes a body has. */
export function sizeOfBody(body: WholeBody): number {
  if (body instanceof Blob) return body.size;
  return body instanceof Uint8Array ? body.length : sizeOf(body);
}

/** What is sent back, before the headers that every response has. The body is text unless something else is said. */
export interface Reply<Body extends ReplyBody = string | null> {
  status: number;
  headers: Record<string, string>;
  body: Body;
  /** Whether only this answer has the body, so that its memory is free once it is sent. */
  isSpent?: boolean;
  /** Each is a Set-Cookie header of its own. */
  cookies?: readonly string[];
}
