import { type Fault, refuse, refuseAll } from "@holdfast/api/conventions/api-error";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import { type VersionOffer, versionedMediaType } from "@holdfast/api/conventions/media-type";
import type { WriteOperation } from "@holdfast/api/conventions/operation";
import { parseParameters } from "@holdfast/api/conventions/parse-parameters";
import type { Caller } from "../access/caller";
import { authorize } from "../operations/authorize";
import type { Changed, ChangeImplementation } from "../operations/change";
import { type ChangeParts, makeChange } from "../operations/make-change";
import type { OperationParts } from "../operations/operation-parts";
import type { Log } from "../telemetry/log";
import type { Exchange } from "./endpoint";
import { ifMatchHolds, itemEtag } from "./etag";
import { findKeptAnswer, keepAnswer, type RepeatableRequest, readIdempotencyKey, requestHash } from "./idempotency";
import { type IdentifyParts, identifyRequest, type RequestContext } from "./identify-request";
import type { NameLinks } from "./name-links";
import { readBody, readNoBody } from "./read-body";
import type { Reply } from "./reply";

/** Maximum time for requests to others before the transaction of a change, in seconds. */
const preparationTimeoutSeconds = 60;

/** Parts that answering a change needs. */
export interface AnswerChangeParts extends IdentifyParts, OperationParts, ChangeParts {
  nameLinks: NameLinks;
  log: Log;
}

/** Declaration of an operation that changes something. */
export interface DeclaredChange {
  offer: VersionOffer;
  versions: ReadonlyMap<number, WriteOperation>;
  volatileFields: readonly string[];
}

/** The way of a request that changes something: what HTTP adds to makeChange is If-Match, idempotency and the reply. */
export async function handleChange(
  exchange: Exchange<AnswerChangeParts>,
  declared: DeclaredChange,
  implementation: ChangeImplementation,
): Promise<Reply> {
  const identified = await identifyRequest(exchange, declared.offer);
  const operation = declared.versions.get(identified.version);
  if (!operation) throw new Error(`Version ${identified.version} is offered, but nothing declares it.`);
  const faults: Fault[] = [];
  const parameters = parseParameters(exchange.address.query, Object.keys(operation.parameters ?? {}), faults);
  refuseAll(faults);
  authorize(operation, identified.caller, identified.context.permissions);
  const body = operation.body
    ? await readBody(exchange, implementation.body, operation.item, implementation.readLoosely)
    : await readNoBody(exchange);
  return change(exchange, identified, operation, declared, implementation, { parameters, body });
}

/** Makes a change that was read and is allowed. */
export async function change(
  exchange: Exchange<AnswerChangeParts>,
  { caller, context, version }: RequestContext,
  operation: WriteOperation,
  { offer, volatileFields }: Omit<DeclaredChange, "versions">,
  implementation: ChangeImplementation,
  { parameters, body }: { parameters: ReadonlyMap<string, string>; body: Record<string, unknown> },
): Promise<Reply> {
  const { parts, request, address, variables } = exchange;
  const repeatable = repeatableRequest(request, caller, [operation.id, address, context.unitId, body]);
  const nameItem = (item: string) => itemEtag(parts.nameLinks(item), volatileFields);

  const prepared = await prepare(exchange, { caller, context }, operation, implementation, repeatable, body);
  return makeChange<Reply>(parts, {
    operation,
    implementation: prepared ? { body: implementation.body, make: prepared } : implementation,
    version,
    caller,
    unitId: context.unitId,
    address: exchange.peer,
    requestId: exchange.requestId,
    ask: async () => ({ variables, parameters, body, actingFor: {} }),
    requireMatch: (item) => requireMatch(request.headers, nameItem(item)),
    findEarlierAnswer: async (db, now) => repeatable && findKeptAnswer(db, repeatable, now),
    async answer(db, changed, now) {
      const contentType = versionedMediaType(parts.vendor, offer.resource, version);
      const reply = writeReply(operation, changed, contentType, nameItem, parts.nameLinks);
      if (repeatable) await keepAnswer(db, repeatable, reply, now);
      return withOnce(reply, changed.once);
    },
    runLater: (act) => runLater(exchange, act),
  });
}

/** Does what comes before the transaction, unless the request was answered before. */
async function prepare(
  { parts, variables, allowSilence }: Exchange<AnswerChangeParts>,
  { caller, context }: Pick<RequestContext, "caller" | "context">,
  { permission }: WriteOperation,
  implementation: ChangeImplementation,
  repeatable: RepeatableRequest | undefined,
  body: Record<string, unknown>,
) {
  if (!implementation.prepare) return undefined;
  const isRepeated =
    repeatable && (await parts.database.snapshot((db) => findKeptAnswer(db, repeatable, parts.clock())));
  if (isRepeated) return undefined;
  // Nothing is sent meanwhile, for which the connection would be cut.
  allowSilence(preparationTimeoutSeconds);
  try {
    const scope = { caller, unitId: context.unitId, permission };
    return await implementation.prepare({ parts, scope, variables }, body);
  } finally {
    allowSilence();
  }
}

/** A request is repeatable when it creates something and has a key. */
function repeatableRequest(request: Request, caller: Caller, parts: readonly unknown[]): RepeatableRequest | undefined {
  const key = request.method === "POST" ? readIdempotencyKey(request.headers) : undefined;
  return key === undefined ? undefined : { caller: caller.userId ?? caller.tokenId, key, hash: requestHash(parts) };
}

function requireMatch(headers: Headers, etag: string): void {
  const wanted = headers.get("if-match");
  if (wanted !== null && !ifMatchHolds(wanted, etag)) {
    throw refuse("preconditionFailed", "The item has changed since you read it. Read it again, and then decide.");
  }
}

function writeReply(
  { status }: WriteOperation,
  { body, location }: Changed,
  contentType: string,
  nameItem: (item: string) => string,
  nameLinks: NameLinks,
): Reply {
  if (status === 204 || body === undefined) return { status, headers: {}, body: null };
  const headers: Record<string, string> = { "Content-Type": contentType, ETag: nameItem(body) };
  if (location !== undefined) headers.Location = location;
  return { status, headers, body: nameLinks(body) };
}

/** Adds what is shown this once. The ETag stays that of the item, which has no such fields. */
function withOnce(reply: Reply, once: Changed["once"]): Reply {
  if (!once || reply.body === null) return reply;
  return { ...reply, body: `${reply.body.slice(0, -1)},${JSON.stringify(once).slice(1)}` };
}

function runLater({ parts, requestId }: Exchange<Pick<AnswerChangeParts, "log">>, act: () => Promise<void>): void {
  act().catch((error: unknown) =>
    parts.log.error("What follows a change has failed.", {
      request_id: requestId,
      error: errorMessage(error),
    }),
  );
}
