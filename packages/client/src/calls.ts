import type { BodyOf, ItemOf, OperationId, ResourceName } from "./declared";
import { builtFor } from "./declared";
import { type Discoveries, expandPath, type FoundOperation } from "./discovery";
import { HoldfastError } from "./error";
import { noteEtag } from "./etag";
import type { Answer, CallOptions, OutgoingRequest, Transport } from "./transport";
import { randomUuid } from "./uuid";

const pathUnknown = 40401;

/** The versions of resources that a client asks for, where they are not those that it is built for. */
export type Versions = { [Name in ResourceName]?: number | undefined };

/** What is asked of an operation beside its body. */
export interface Asked extends CallOptions {
  /** Values of the path's variables. */
  ids?: readonly string[] | undefined;
  query?: Readonly<Record<string, string | undefined>> | undefined;
  headers?: Record<string, string> | undefined;
  version?: number | undefined;
}

/** What the calls of a client share. */
export interface Calls {
  /** The unit that all calls act in; the token's own where there is none. */
  unit: string | undefined;
  transport: Transport;
  discoveries: Discoveries;
  versions: Versions;
}

/** A body that is sent, and whether sending it twice does no harm. */
export interface Sent<Body> {
  body?: Body;
  isRepeatable: boolean;
}

/** Reads an item. */
export async function readItem<Name extends ResourceName, Id extends OperationId<Name>, Version>(
  calls: Calls,
  resource: Name,
  operationId: Id,
  asked: Asked,
): Promise<ItemOf<Name, Id, Version>> {
  return parseItem(await call(calls, resource, operationId, asked, { isRepeatable: true }));
}

/** Makes a change. A POST gets a key, so that it is done once however often it is sent. */
export async function sendChange<Name extends ResourceName, Id extends OperationId<Name>>(
  calls: Calls,
  resource: Name,
  operationId: Id,
  asked: Asked & { ifMatch?: string | undefined; idempotencyKey?: string | undefined },
  body?: BodyOf<Name, Id>,
): Promise<ItemOf<Name, Id>> {
  const { ifMatch, idempotencyKey = randomUuid(), ...rest } = asked;
  const headers = { "Idempotency-Key": idempotencyKey, ...(ifMatch === undefined ? {} : { "If-Match": ifMatch }) };
  // An If-Match that was met once is not met again.
  return parseItem(
    await call(calls, resource, operationId, { ...rest, headers }, { body, isRepeatable: ifMatch === undefined }),
  );
}

/** Sends a report. Ids and sequences make sure that it counts once. */
export async function sendReport<Name extends ResourceName, Id extends OperationId<Name>>(
  calls: Calls,
  resource: Name,
  operationId: Id,
  asked: Asked,
  body: BodyOf<Name, Id>,
): Promise<ItemOf<Name, Id>> {
  return parseItem(await call(calls, resource, operationId, asked, { body, isRepeatable: true }));
}

/** Calls an operation by its id. When its path is gone, the service was changed: discovery is read again, once. */
export async function call<Name extends ResourceName>(
  calls: Calls,
  resource: Name,
  operationId: OperationId<Name>,
  asked: Asked,
  sent: Sent<unknown>,
): Promise<Answer> {
  const ask = async () => {
    const operation = await findOperation(calls, resource, operationId, asked);
    return calls.transport.send(requestOf(operation, asked, sent));
  };
  try {
    return await ask();
  } catch (error) {
    if (!isPathGone(error)) throw error;
    calls.discoveries.forget(calls.unit);
    return ask();
  }
}

/** Whether the service does not know the path that was asked for. */
export function isPathGone(error: unknown): boolean {
  return error instanceof HoldfastError && error.codes.includes(pathUnknown);
}

/** Finds an operation in the version that is asked for. */
export function findOperation<Name extends ResourceName>(
  { discoveries, unit, versions }: Calls,
  resource: Name,
  operationId: OperationId<Name>,
  { signal, timeoutMs, retries, version = versions[resource] ?? builtFor[resource] }: Asked,
): Promise<FoundOperation> {
  return discoveries.find({ resource, version, operationId, unit }, { signal, timeoutMs, retries });
}

/** The request that calls an operation. */
export function requestOf(
  operation: FoundOperation,
  { ids = [], query = {}, headers, signal, timeoutMs, retries }: Asked,
  { body, isRepeatable }: Sent<unknown>,
): OutgoingRequest {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value);
  const search = parameters.size > 0 ? `?${parameters}` : "";
  return {
    method: operation.type,
    href: `${expandPath(operation, ids)}${search}`,
    headers: { ...operation.headers, ...headers },
    body,
    isRepeatable,
    signal,
    timeoutMs,
    retries,
  };
}

function parseItem({ response, text }: Answer) {
  if (text === "") return undefined;
  const item = JSON.parse(text);
  noteEtag(item, response.headers.get("etag"));
  return item;
}
