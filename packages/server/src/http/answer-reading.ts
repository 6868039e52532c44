import { type VersionOffer, versionedMediaType } from "@holdfast/api/conventions/media-type";
import type { Memory } from "../database/memory";
import type { Written } from "../lists/written";
import type { Exchange } from "./endpoint";
import { type Entered, enter } from "./enter";
import { etagOf, isKnown, itemEtag } from "./etag";
import type { Reply } from "./reply";

/** A body that was sent before, good for as long as nothing is committed. */
export interface Sent {
  body: string;
  etag: string;
  isCurrent: boolean;
}

/** The way of a request that reads: who, where, which version, what exactly, whether that is allowed, then the database. */
export async function answerReading(
  exchange: Exchange,
  offer: VersionOffer,
  sent: Memory<Sent>,
  prepare: (entered: Entered) => (signal: AbortSignal) => Promise<Written>,
  restlessFields: readonly string[] = [],
): Promise<Reply> {
  const { parts, request, address } = exchange;
  const entered = await enter(exchange, offer);
  const { stamp, caller, context, version } = entered;
  // The same caller asking the same again before anything has changed gets the same, without any of the steps below.
  const key = `${caller.tokenId} ${context.unitId} ${offer.resource} ${version} ${address.path}?${address.query}`;
  const { body, etag } = await sent.recall(
    stamp,
    key,
    async (signal) => {
      const written = await prepare(entered)(signal);
      const body = parts.nameLinks(written.body);
      const etag =
        written.essence === undefined ? itemEtag(body, restlessFields) : etagOf(body, parts.nameLinks(written.essence));
      return { body, etag, isCurrent: written.isCurrent };
    },
    { isKept: ({ isCurrent }) => isCurrent, signal: request.signal },
  );
  const isUnchanged = isKnown(request.headers.get("if-none-match"), etag);
  return {
    status: isUnchanged ? 304 : 200,
    headers: { "Content-Type": versionedMediaType(parts.vendor, offer.resource, version), ETag: etag },
    body: isUnchanged ? null : body,
  };
}
