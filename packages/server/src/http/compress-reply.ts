import { constants, gzip, zstdCompress } from "node:zlib";
import { acceptedEncodings } from "./accepted-encodings";
import type { Reply, WholeBody } from "./reply";

/** Smaller bodies fit into one packet as they are. */
const minCompressedBytes = 1_024;

/** Content encodings of answers that are made for each request: the cheapest first. Only gzip is known to every client. */
const encodings = ["zstd", "gzip"] as const;
type Encoding = (typeof encodings)[number];

/** Chooses how to compress a body for a client; undefined if it is too small for that, or the client takes it only as it is. */
export function encodingFor(request: Request, body: string): Encoding | undefined {
  if (body.length < minCompressedBytes) return undefined;
  const accepted = acceptedEncodings(request.headers.get("accept-encoding"));
  return encodings.find((one) => accepted.has(one));
}

/** The ETag of a compressed body: it is equivalent to the body that the strong one names, and not the same bytes. */
export function weaken(etag: string): string {
  return etag.startsWith("W/") ? etag : `W/${etag}`;
}

/** Compresses the body of a reply, at the cheapest level and in a thread of its own: the event loop answers others meanwhile. */
export async function compressReply(reply: Reply, body: string, encoding: Encoding): Promise<Reply<WholeBody>> {
  const compressed = await compress(body, encoding);
  return { ...reply, headers: { ...reply.headers, "Content-Encoding": encoding }, body: compressed };
}

function compress(body: string, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, made: Buffer) => (error ? reject(error) : resolve(new Uint8Array(made)));
    if (encoding === "zstd") zstdCompress(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }, done);
    else gzip(body, { level: 1 }, done);
  });
}
