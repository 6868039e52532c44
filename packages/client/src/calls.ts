import { type Discoveries, expandPath, type FoundOperation } from "./discovery";
import { HoldfastError } from "./error";
import { noteEtag } from "./etag";
import type { ChangeOptions, CreateOptions } from "./options";
import type { Answer, OutgoingRequest, Transport } from "./transport";
import { randomUuid } from "./uuid";

const pathUnknown = 40401;

/** An operation, by the names that discovery has. */
export interface NamedOperation {
  resource: string;
  version: number;
  id: string;
}

/** Arguments of a call beside its body. */
export interface CallInput extends ChangeOptions, CreateOptions {
  /** Values of the path's variables. */
  ids?: readonly string[] | undefined;
  query?: Readonly<Record<string, string | undefined>> | undefined;
  headers?: Record<string, string> | undefined;
  version?: number | undefined;
}

/** State that the calls of a client share. */
export interface Calls {
  /** The unit that all calls act in; the token's own where there is none. */
  unit: string | undefined;
  transport: Transport;
  discoveries: Discoveries;
  /** The versions to ask for where they are not those that the client is built for, by resource. */
  versions: Readonly<Record<string, number | undefined>>;
}

/** A body that is sent, and whether sending it twice does no harm. */
export interface Sent {
  body?: unknown;
  isRepeatable: boolean;
}

/** Sends something that does no harm if it arrives twice: a request to read, or a report, which its id or sequence makes count once. */
export async function sendRepeatable(calls: Calls, operation: NamedOperation, asked: CallInput, body?: unknown) {
  return parseItem(await call(calls, operation, asked, { body, isRepeatable: true }));
}

/** Makes a change. A POST gets a key, so that it is done once however often it is sent. */
export async function sendChange(calls: Calls, operation: NamedOperation, asked: CallInput, body?: unknown) {
  const { ifMatch, idempotencyKey = randomUuid(), ...rest } = asked;
  const headers = { "Idempotency-Key": idempotencyKey, ...(ifMatch === undefined ? {} : { "If-Match": ifMatch }) };
  // An If-Match that was met once is not met again.
  return parseItem(await call(calls, operation, { ...rest, headers }, { body, isRepeatable: ifMatch === undefined }));
}

/** Reads all of something as a text. */
export async function readText(calls: Calls, operation: NamedOperation, asked: CallInput): Promise<string> {
  return (await call(calls, operation, { ...asked, headers: { Accept: "text/plain" } }, { isRepeatable: true })).text;
}

/** Calls an operation by its id. When its path is gone, the service was changed: discovery is read again, once. */
export async function call(calls: Calls, operation: NamedOperation, asked: CallInput, sent: Sent): Promise<Answer> {
  const ask = async () => calls.transport.send(requestOf(await findOperation(calls, operation, asked), asked, sent));
  try {
    return await ask();
  } catch (error) {
    if (!isPathGone(error)) throw error;
    calls.discoveries.forget(calls.unit);
    return ask();
  }
}

/** True if the service does not know the requested path. */
export function isPathGone(error: unknown): boolean {
  return error instanceof HoldfastError && error.codes.includes(pathUnknown);
}

/** Finds an operation in the version that is asked for. */
export function findOperation(
  { discoveries, unit }: Calls,
  { resource, id, ...operation }: NamedOperation,
  { signal, timeoutMs, retries, version = operation.version }: CallInput,
): Promise<FoundOperation> {
  return discoveries.find({ resource, version, operationId: id, unit }, { signal, timeoutMs, retries });
}

/** The request that calls an operation. */
export function requestOf(
  operation: FoundOperation,
  { ids = [], query = {}, headers, signal, timeoutMs, retries }: CallInput,
  { body, isRepeatable }: Sent,
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
