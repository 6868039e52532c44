import { type VersionOffer, versionedMediaType } from "@holdfast/api/conventions/media-type";
import type { CommitCache } from "../database/commit-cache";
import type { Assumption, Database, Stamps } from "../database/database";
import { Outdated, proveAssumption } from "../database/prove-assumption";
import { intoBytes, type RenderedBody, sharedAtMost } from "../lists/rendered-body";
import type { AskedBefore } from "./asked-before";
import type { Exchange } from "./endpoint";
import { etagOf, ifNoneMatchHolds, itemEtag } from "./etag";
import { identifyAt, type RequestContext } from "./identify-request";
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
  asked: AskedBefore;
  bodies: CommitCache<Sent>;
}

type BodyReply = Reply<Sent["body"] | null>;

/** Answers with these stamps, and reads from this database. */
type AnswerAt = (stamp: Stamps, database: Database) => Promise<BodyReply>;

/** What a request reads, and from which database, once it is known who asks. */
type Prepare = (identified: RequestContext, database: Database) => (signal: AbortSignal) => Promise<RenderedBody>;

interface Reading {
  exchange: Exchange;
  offer: VersionOffer;
  sent: SentBodies;
  prepare: Prepare;
  volatileFields: readonly string[];
  /** The request as it was sent, for the memory of what was asked for. */
  asking: string;
  isAgain: boolean;
}

/** The way of a request that reads: who, where, which version, what exactly, whether that is allowed, then the database. */
export async function answerReading(
  exchange: Exchange,
  offer: VersionOffer,
  sent: SentBodies,
  prepare: Prepare,
  volatileFields: readonly string[] = [],
): Promise<BodyReply> {
  const { parts, request, address } = exchange;
  const { database } = parts;
  const credentials = request.headers.get("authorization") ?? request.headers.get("cookie");
  const asking = `${credentials} ${address.path}?${address.query}`;
  const isAgain = sent.asked.has(asking);
  const reading: Reading = { exchange, offer, sent, prepare, volatileFields, asking, isAgain };
  const answerAt: AnswerAt = (stamp, from) => answerIdentified(reading, stamp, from);
  // What was asked for before is most likely in memory, and then the question for the stamps is the only one.
  const assumed = isAgain ? undefined : database.assume();
  const answered = assumed && (await answerEarly(database, assumed, answerAt));
  // Whatever was committed before these stamps counts.
  return answered?.reply ?? answerAt(await database.stamp(), database);
}

/**
 * Answers with stamps of a moment ago, so that one trip to the database does for the request and for the proof that they held when
 * it came: that of the snapshot that it reads from, else a question of its own. A refusal is proven as well. Gives nothing where
 * they did not hold; then the request has to be begun again.
 */
async function answerEarly(
  database: Database,
  assumed: Assumption,
  answerAt: AnswerAt,
): Promise<{ reply: BodyReply } | undefined> {
  const proving = proveAssumption(database, assumed);
  const isRight = async () => proving.isProven() || assumed.areRight(await database.stamp());
  try {
    const reply = await answerAt(assumed, proving);
    return (await isRight()) ? { reply } : undefined;
  } catch (error) {
    if (error instanceof Outdated || !(await isRight())) return undefined;
    throw error;
  }
}

async function answerIdentified(
  { exchange, offer, sent: { madeOf, asked, bodies }, prepare, volatileFields, asking, isAgain }: Reading,
  stamp: Stamps,
  database: Database,
): Promise<BodyReply> {
  const { parts, request, address } = exchange;
  const identified = await identifyAt(stamp, exchange, offer, request.headers.get("accept"));
  const { caller, context, version } = identified;
  // The same caller asking the same again before anything has changed gets the same, without any of the steps below.
  const key = `${caller.tokenId} ${context.unitId} ${offer.resource} ${version} ${address.path}?${address.query}`;
  asked.note(asking);
  let isAlone = false;
  const { body, etag } = await bodies.getOrLoad(
    stamp[madeOf],
    key,
    async (signal) => {
      const written = await prepare(identified, database)(signal);
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
      // A request with right stamps must not fail together with one whose assumption was wrong.
      lane: "areRight" in stamp ? "assumed" : "",
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
