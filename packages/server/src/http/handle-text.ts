import type { VersionOffer } from "@holdfast/api/conventions/media-type";
import type { DownloadedText } from "../operations/read";
import type { Exchange } from "./endpoint";
import { type IdentifyParts, identifyRequest, type RequestContext } from "./identify-request";
import type { Reply } from "./reply";

/** The way of a request for a text to download: as for any reading, but what is sent is a file that no browser shows. */
export async function handleText(
  exchange: Exchange<IdentifyParts>,
  offer: VersionOffer,
  prepare: (identified: RequestContext) => Promise<DownloadedText>,
): Promise<Reply<ReadableStream<Uint8Array>>> {
  const { fileName, text } = await prepare(await identifyRequest(exchange, offer, null));
  return {
    status: 200,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": `attachment; filename="${fileName}"`,
      "Cache-Control": "private, no-store",
    },
    body: streamOf(text),
  };
}

function streamOf(text: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await text.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await text.return(undefined);
    },
  });
}
