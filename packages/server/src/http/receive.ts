import { refuse } from "@holdfast/api/conventions/api-error";

/** The part of a request's address that is ours to read. */
export interface Address {
  path: string;
  /** Without the question mark, still encoded. */
  query: string;
}

const maxAddressLength = 32_768;
const largestHeaders = 32_768;
/** Maximum size of a body in bytes. */
export const largestBody = 1_048_576;

/** Facts about a request that are read before anything else: where it was sent to, and by which of our names. */
export interface ReceivedRequest {
  address: Address;
  /** One that is ours. */
  host: string;
}

/** Refuses what is too large or cannot be read, and takes the address apart. */
export function receive(
  request: Request,
  isOurHost: (host: string) => boolean,
  maxBytes: number = largestBody,
): ReceivedRequest {
  const { url, headers } = request;
  if (url.length > maxAddressLength) {
    throw refuse("urlTooLong", `Send an address of at most ${maxAddressLength} characters; a shorter filter may help.`);
  }
  let size = 0;
  // This is the quickest way through them.
  headers.forEach((value, name) => {
    size += name.length + value.length + 4;
  });
  if (size > largestHeaders) throw refuse("headersTooLarge", `Send at most ${largestHeaders} bytes of headers.`);
  if (Number(headers.get("content-length") ?? 0) > maxBytes) {
    throw refuse("bodyTooLarge", `Send a body of at most ${maxBytes} bytes.`);
  }
  const { named, address } = takeApart(url);
  const host = headers.get("host") ?? named;
  if (!isOurHost(host)) {
    throw refuse(
      "hostInvalid",
      "Send the Host that this service is known by: its base URL's, or one of allowed_hosts.",
    );
  }
  return { address, host };
}

/** The path of an address that may not be one: never the query, which may contain a secret by mistake. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const query = url.indexOf("?");
  const hash = url.indexOf("#");
  const end = Math.min(query < 0 ? url.length : query, hash < 0 ? url.length : hash);
  return url.slice(Math.max(0, start), end);
}

function takeApart(url: string): { named: string; address: Address } {
  const hostAt = url.indexOf("://") + 3;
  const pathAt = url.indexOf("/", hostAt);
  if (!/^https?:\/\//.test(url) || pathAt < 0) {
    throw refuse("urlMalformed", "The address of this request cannot be read. Check the Host header and the path.");
  }
  const hash = url.indexOf("#", pathAt);
  const end = hash < 0 ? url.length : hash;
  const mark = url.indexOf("?", pathAt);
  const pathEnd = mark < 0 || mark > end ? end : mark;
  return {
    named: url.slice(hostAt, pathAt),
    address: { path: url.slice(pathAt, pathEnd), query: url.slice(pathEnd + 1, end) },
  };
}
