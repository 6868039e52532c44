import { type VersionOffer, versionedMediaType } from "@holdfast/api/conventions/media-type";
import type { Stamps } from "../database/database";
import type { RenderedBody } from "../lists/rendered-body";
import type { BodyCache } from "./body-cache";
import type { Exchange } from "./endpoint";
import { etagOf, ifNoneMatchHolds, itemEtag } from "./etag";
import { identifyRequest, type RequestContext } from "./identify-request";
import type { Reply } from "./reply";

/** A reading, as far as it does not depend on the request. */
export interface DeclaredReading {
  offer: VersionOffer;
  bodies: BodyCache;
  /** The domain of its body, which is the same until something is committed to that. */
  domain: keyof Stamps;
  /** Fields of an item that change by themselves. */
  volatileFields: readonly string[];
}

/** Parses the query of an identified request and authorizes its caller; gives what then reads from the database. */
type Prepare = (identified: RequestContext) => (signal: AbortSignal) => Promise<RenderedBody>;

/** The way of a request that reads: identify, authorize, read unless the body is cached, respond. */
export async function answerReading(
  exchange: Exchange,
  { offer, bodies, domain, volatileFields }: DeclaredReading,
  prepare: Prepare,
): Promise<Reply> {
  const { parts, request, address } = exchange;
  const identified = await identifyRequest(exchange, offer);
  const read = prepare(identified);
  const { stamp, caller, context, version } = identified;
  const { body, etag } = await bodies.getOrRender(
    {
      callerId: caller.tokenId,
      unitId: context.unitId,
      resource: offer.resource,
      version,
      path: address.path,
      query: address.query,
      domain,
      stamp: stamp[domain],
    },
    async (signal) => {
      const rendered = await read(signal);
      const body = parts.nameLinks(rendered.body);
      const etag =
        rendered.etagSource === undefined
          ? itemEtag(body, volatileFields)
          : etagOf(body, parts.nameLinks(rendered.etagSource));
      return { body, etag, isCurrent: rendered.isCurrent };
    },
    request.signal,
  );
  const isUnchanged = ifNoneMatchHolds(request.headers.get("if-none-match"), etag);
  return {
    status: isUnchanged ? 304 : 200,
    headers: { "Content-Type": versionedMediaType(parts.vendor, offer.resource, version), ETag: etag },
    body: isUnchanged ? null : body,
  };
}
