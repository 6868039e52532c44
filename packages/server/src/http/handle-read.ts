import { type VersionOffer, versionedMediaType } from "@holdfast/api/conventions/media-type";
import type { DataVersions } from "../database/database";
import type { RenderedBody } from "../lists/rendered-body";
import type { BodyCache } from "./body-cache";
import { compressReply, encodingFor, weaken } from "./compress-reply";
import type { Exchange } from "./endpoint";
import { ifNoneMatchHolds, itemEtag } from "./etag";
import { type IdentifyParts, identifyRequest, type RequestContext } from "./identify-request";
import type { NameLinks } from "./name-links";
import type { Reply, WholeBody } from "./reply";

/** Parts that answering a reading needs. */
export interface AnswerReadingParts extends IdentifyParts {
  nameLinks: NameLinks;
}

/** A reading, as far as it does not depend on the request. */
export interface DeclaredRead {
  offer: VersionOffer;
  bodies: BodyCache;
  /** The domain of its body, which is the same until something is committed to that. */
  domain: keyof DataVersions;
  /** Fields of an item that change by themselves. */
  volatileFields: readonly string[];
  /** True if it is never compressed: its size would tell of a secret in it. */
  hasSecrets: boolean;
}

/** Parses the query of an identified request and authorizes its caller; gives what then reads from the database. */
type Prepare = (identified: RequestContext) => (signal: AbortSignal) => Promise<RenderedBody>;

/** The way of a request that reads: identify, authorize, read unless the body is cached, respond. */
export async function handleRead(
  exchange: Exchange<AnswerReadingParts>,
  { offer, bodies, domain, volatileFields, hasSecrets }: DeclaredRead,
  prepare: Prepare,
): Promise<Reply<WholeBody | null>> {
  const { parts, request, address } = exchange;
  const identified = await identifyRequest(exchange, offer);
  const read = prepare(identified);
  const { dataVersions, caller, context, version } = identified;
  const { body, etag } = await bodies.getOrRender(
    {
      callerId: caller.tokenId,
      unitId: context.unitId,
      resource: offer.resource,
      version,
      path: address.path,
      query: address.query,
      domain,
      dataVersion: dataVersions[domain],
    },
    async (signal) => {
      const rendered = await read(signal);
      const body = parts.nameLinks(rendered.body);
      return { body, etag: itemEtag(body, volatileFields), isVolatile: rendered.isVolatile === true };
    },
    request.signal,
  );
  const encoding = hasSecrets ? undefined : encodingFor(request, body);
  const name = encoding ? weaken(etag) : etag;
  const headers = { "Content-Type": versionedMediaType(parts.vendor, offer.resource, version), ETag: name };
  if (ifNoneMatchHolds(request.headers.get("if-none-match"), name)) return { status: 304, headers, body: null };
  const reply = { status: 200, headers, body };
  return encoding ? compressReply(reply, body, encoding) : reply;
}
