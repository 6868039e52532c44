import { type VersionOffer, versionedMediaType } from "@holdfast/api/conventions/media-type";
import type { CommitCache } from "../database/commit-cache";
import type { Stamps } from "../database/database";
import { intoBytes, type RenderedBody, sharedAtMost } from "../lists/rendered-body";
import type { WasAskedBefore } from "./asked-before";
import type { Exchange } from "./endpoint";
import { etagOf, ifNoneMatchHolds, itemEtag } from "./etag";
import { identifyRequest, type RequestContext } from "./identify-request";
import type { Reply } from "./reply";

/** A body that was sent before. */
export interface Sent {
  body: Uint8Array<ArrayBuffer>;
  etag: string;
  isCurrent: boolean;
}

/** Bodies that were sent before, good for as long as nothing is committed to what they are made of. */
export interface SentBodies {
  madeOf: keyof Stamps;
  /** A large body that is asked for only once is not worth keeping. */
  wasAskedBefore: WasAskedBefore;
  bodies: CommitCache<Sent>;
}

/** The way of a request that reads: who, where, which version, what exactly, whether that is allowed, then the database. */
export async function answerReading(
  exchange: Exchange,
  offer: VersionOffer,
  { madeOf, wasAskedBefore, bodies }: SentBodies,
  prepare: (identified: RequestContext) => (signal: AbortSignal) => Promise<RenderedBody>,
  volatileFields: readonly string[] = [],
): Promise<Reply<Sent["body"] | null>> {
  const { parts, request, address } = exchange;
  const identified = await identifyRequest(exchange, offer);
  const { stamp, caller, context, version } = identified;
  // The same caller asking the same again before anything has changed gets the same, without any of the steps below.
  const key = `${caller.tokenId} ${context.unitId} ${offer.resource} ${version} ${address.path}?${address.query}`;
  const isAgain = wasAskedBefore(key);
  let isAlone = false;
  const { body, etag } = await bodies.getOrLoad(
    stamp[madeOf],
    key,
    async (signal) => {
      const written = await prepare(identified)(signal);
      const body = parts.nameLinks(written.body);
      const etag =
        written.etagSource === undefined
          ? itemEtag(body, volatileFields)
          : etagOf(body, parts.nameLinks(written.etagSource));
      return { body: intoBytes(body), etag, isCurrent: written.isCurrent };
    },
    {
      isKept: ({ isCurrent, body }) => isCurrent && (isAgain || body.length <= sharedAtMost),
      onAlone: () => {
        isAlone = true;
      },
      signal: request.signal,
    },
  );
  const isUnchanged = ifNoneMatchHolds(request.headers.get("if-none-match"), etag);
  return {
    status: isUnchanged ? 304 : 200,
    headers: { "Content-Type": versionedMediaType(parts.vendor, offer.resource, version), ETag: etag },
    body: isUnchanged ? null : body,
    isSpent: isAlone,
  };
}
