import { encodings, type StaticFile } from "../pages/static-file";
import { acceptedEncodings } from "./accepted-encodings";
import { weaken } from "./compress-reply";
import type { Exchange } from "./endpoint";
import { ifNoneMatchHolds } from "./etag";
import type { Reply, WholeBody } from "./reply";

type FileReply = Reply<WholeBody | null>;

/** Answers with a file: compressed if the client accepts that, and not at all if it has the file already. */
export function sendFile(
  { request }: Pick<Exchange, "request">,
  { bytes, contentType, etag, encoded }: StaticFile,
  headers: Record<string, string>,
): FileReply | Promise<FileReply> {
  const accepted = acceptedEncodings(request.headers.get("accept-encoding"));
  const encoding = encodings.find((one) => accepted.has(one));
  const compressed = encoding && encoded(encoding);
  const common = { Vary: "Accept-Encoding", ...headers, ETag: compressed ? weaken(etag) : etag };
  if (ifNoneMatchHolds(request.headers.get("if-none-match"), etag)) return { status: 304, headers: common, body: null };
  if (!compressed) return { status: 200, headers: { ...common, "Content-Type": contentType }, body: bytes };
  const withBody = (body: Uint8Array<ArrayBuffer>): FileReply => ({
    status: 200,
    headers: { ...common, "Content-Type": contentType, "Content-Encoding": encoding },
    body,
  });
  return compressed instanceof Promise ? compressed.then(withBody) : withBody(compressed);
}
