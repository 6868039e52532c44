/** True if the length of a request's body was not announced: it comes in chunks, and trailers may follow them. */
export function isChunked({ headers }: Request): boolean {
  return headers.has("transfer-encoding");
}

/**
 * Waits until the runtime has looked at all of a chunked request that has arrived. It refuses trailers and broken chunks
 * by itself, with a bare 400, and ends the connection, also when the request was answered already. A proxy may hand such
 * a second answer to another client. So nothing is done or answered before that, and nothing at all if it has refused.
 * What comes later than the answer meets a closed connection: see the Connection header that createRequestPipeline sends.
 */
export async function afterParsing(request: Request): Promise<void> {
  if (!isChunked(request)) return;
  await new Promise<void>((resolve) => setImmediate(resolve));
  request.signal.throwIfAborted();
}
