/**
 * Body that can be sent. A stream is sent as it comes, for as long as it lasts; the headers go out with its first bytes,
 * so it should say something at once.
 */
export type ReplyBody = WholeBody | ReadableStream<Uint8Array> | null;

/** A body that is all there: JSON and pages are texts, files are bytes. */
export type WholeBody = string | Uint8Array<ArrayBuffer>;

/** Reply without the headers that every response has. The body is text unless something else is said. */
export interface Reply<Body extends ReplyBody = string | null> {
  status: number;
  headers: Record<string, string>;
  body: Body;
  /** Each is a Set-Cookie header of its own. */
  cookies?: readonly string[];
}
