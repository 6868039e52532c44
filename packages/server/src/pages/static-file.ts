import { createHash } from "node:crypto";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";

/** Content encodings, the smallest result first. */
export const encodings = ["br", "zstd", "gzip"] as const;
export type Encoding = (typeof encodings)[number];

type Bytes = Uint8Array<ArrayBuffer>;

/** A file that stays the same for as long as the process lives. */
export interface StaticFile {
  contentType: string;
  /** A strong ETag of its bytes, as they are. */
  etag: string;
  bytes: Bytes;
  /** Its bytes, compressed by the build or on the first request for this encoding; undefined if that saves nothing. */
  encoded(encoding: Encoding): Bytes | Promise<Bytes> | undefined;
}

/** Files below this size fit into one packet as they are. */
const minCompressedBytes = 1_000;

/** Makes a file of its bytes, and of what a build has compressed already. */
export function createStaticFile(
  bytes: Bytes,
  contentType: string,
  compressed: Partial<Record<Encoding, Bytes | undefined>> = {},
): StaticFile {
  const results = new Map<Encoding, Bytes | Promise<Bytes>>();
  for (const encoding of encodings) {
    const found = compressed[encoding];
    if (found) results.set(encoding, found);
  }
  return {
    contentType,
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    bytes,
    encoded(encoding) {
      if (bytes.length < minCompressedBytes) return undefined;
      const known = results.get(encoding);
      if (known) return known;
      const made = compress(bytes, encoding).then((result) => {
        // Later requests are answered in their own tick.
        results.set(encoding, result);
        return result;
      });
      results.set(encoding, made);
      return made;
    },
  };
}

function compress(bytes: Uint8Array, encoding: Encoding): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, made: Buffer) => (error ? reject(error) : resolve(new Uint8Array(made)));
    // Quality 5 takes a twentieth of the time of 11, which the build for a release has.
    if (encoding === "br") brotliCompress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }, done);
    else if (encoding === "zstd") zstdCompress(bytes, done);
    else gzip(bytes, { level: 6 }, done);
  });
}
