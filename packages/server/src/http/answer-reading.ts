import { type VersionOffer, versionedMediaType } from "@holdfast/api/conventions/media-type";
import { unitHeader } from "@holdfast/api/conventions/unit-header";
import type { CommitCache } from "../database/commit-cache";
import type { Assumption, Database, Stamps } from "../database/database";
import { Outdated, proveAssumption } from "../database/prove-assumption";
import type { RenderedBody } from "../lists/rendered-body";
import type { AskedBefore } from "./asked-before";
import type { Exchange } from "./endpoint";
import { etagOf, ifNoneMatchHolds, itemEtag } from "./etag";
import { identifyAt, noteCaller, type RequestContext } from "./identify-request";
import type { Reply } from "./reply";

/** A body that was sent before. */
export interface Sent {
  body: string;
  etag: string;
  isKept: boolean;
}

/** Bodies that were sent before, good for as long as nothing is committed to what they are made of. */
export interface SentBodies {
  madeOf: keyof Stamps;
  /** A large body that is asked for only once is not worth keeping. */
  asked: AskedBefore;
  bodies: CommitCache<Sent>;
  /** Whose requests with a token were answered with them, by all that was read of a request. */
  askers: CommitCache<Asker>;
}

/** Who made a request, and the key that its body is kept under. */
export interface Asker {
  identified: RequestContext;
  key: string;
}

type BodyReply = Reply;

/** Bodies of at most so many characters are kept from the first time on. */
const smallBody = 16_384;

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
  /** All that is read of the request, for the memory of what was asked for. */
  asking: string;
}

/**
 * The way of a request that reads: who, where, which version, what exactly, whether that is allowed, then the database. The same
 * request again needs none of that until something is committed.
 */
export function answerReading(
  exchange: Exchange,
  offer: VersionOffer,
  sent: SentBodies,
  prepare: Prepare,
  volatileFields: readonly string[] = [],
): BodyReply | Promise<BodyReply> {
  const { parts, request, address } = exchange;
  const { headers } = request;
  const authorization = headers.get("authorization");
  // As JSON, in which a header that is absent, an empty one and the word null differ, and each is in its place.
  const asking = JSON.stringify([
    authorization,
    authorization === null ? headers.get("cookie") : null,
    headers.get("accept"),
    headers.get(unitHeader(parts.vendor)),
    address.path,
    address.query,
  ]);
  const reading: Reading = { exchange, offer, sent, prepare, volatileFields, asking };
  // Whatever was committed before these stamps counts.
  const stamp = parts.database.stampAtOnce();
  return (stamp && answerAgain(reading, stamp)) ?? answerAtLength(reading, stamp);
}

/** Answers a request that was answered before with a body that still holds. */
function answerAgain({ exchange, offer, sent, asking }: Reading, stamp: Stamps): BodyReply | undefined {
  const { parts } = exchange;
  const asker = sent.askers.peek(stamp[sent.madeOf], asking);
  if (!asker) return undefined;
  const { identified, key } = asker;
  // What has ended, or has not begun by a clock that was set back, is refused on the long way.
  const { goodFrom = Number.POSITIVE_INFINITY, goodUntil = 0 } = identified.caller;
  const now = parts.clock();
  if (now < goodFrom || now >= goodUntil) return undefined;
  const known = sent.bodies.take(stamp[sent.madeOf], key);
  if (!known) return undefined;
  noteCaller(exchange, identified.caller);
  exchange.seen.unitId = identified.context.unitId;
  return replyWith(exchange, offer, identified.version, known);
}

async function answerAtLength(reading: Reading, stamp: Stamps | undefined): Promise<BodyReply> {
  const { exchange, sent, asking } = reading;
  const { database } = exchange.parts;
  const isAgain = sent.asked.has(asking);
  const answerAt: AnswerAt = (stamp, from) => answerIdentified(reading, isAgain, stamp, from);
  if (stamp) return answerAt(stamp, database);
  // What was asked for before is most likely in memory, and then the question for the stamps is the only one.
  const assumed = isAgain ? undefined : database.assume();
  const answered = assumed && (await answerEarly(database, assumed, answerAt));
  if (answered) return answered.reply;
  const asked = await database.stamp();
  return answerAgain(reading, asked) ?? answerAt(asked, database);
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
  { exchange, offer, sent: { madeOf, asked, bodies, askers }, prepare, volatileFields, asking }: Reading,
  isAgain: boolean,
  stamp: Stamps,
  database: Database,
): Promise<BodyReply> {
  const { parts, request, address } = exchange;
  const identified = await identifyAt(stamp, exchange, offer, request.headers.get("accept"));
  const { caller, context, version } = identified;
  // The same caller asking the same again before anything has changed gets the same, without any of the steps below.
  const key = `${caller.tokenId} ${context.unitId} ${offer.resource} ${version} ${address.path}?${address.query}`;
  asked.note(asking);
  const sent = await bodies.getOrLoad(
    stamp[madeOf],
    key,
    async (signal) => {
      const written = await prepare(identified, database)(signal);
      const body = parts.nameLinks(written.body);
      const etag =
        written.etagSource === undefined
          ? itemEtag(body, volatileFields)
          : etagOf(body, parts.nameLinks(written.etagSource));
      const isKept = written.isCurrent && (isAgain || body.length <= smallBody);
      return { body, etag, isKept };
    },
    {
      isKept: ({ isKept }) => isKept,
      // A request with right stamps must not fail together with one whose assumption was wrong.
      lane: "areRight" in stamp ? "assumed" : "",
      signal: request.signal,
    },
  );
  // A session is looked at each time: it ends by not being used, and its stamp is another one.
  if (isAgain && caller.kind !== "session") askers.put(stamp[madeOf], asking, { identified, key });
  return replyWith(exchange, offer, version, sent);
}

function replyWith(
  { parts, request }: Exchange,
  { resource }: VersionOffer,
  version: number,
  { body, etag }: Sent,
): BodyReply {
  const isUnchanged = ifNoneMatchHolds(request.headers.get("if-none-match"), etag);
  return {
    status: isUnchanged ? 304 : 200,
    headers: { "Content-Type": versionedMediaType(parts.vendor, resource, version), ETag: etag },
    body: isUnchanged ? null : body,
  };
}
