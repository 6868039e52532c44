import { afterParsing } from "./chunked";
import type { Exchange } from "./endpoint";

/** Maximum number of bytes of a ping's body that are kept. */
export const keptPingBody = 100_000;
/** Maximum number of bytes of it that are read; after that the connection is closed. */
const largestPingBody = 10_485_760;

/** Reads the body of a ping: the beginning as text that can be stored. No body is too long or of a wrong type. */
export async function readPingBody({
  request,
  slot,
  headers,
}: Pick<Exchange, "request" | "slot" | "headers">): Promise<string> {
  const { body } = request;
  if (!body) return "";
  const { kept, isWhole } = await slot.whileArriving((cut, onBytes) => readStart(body, cut, onBytes));
  if (isWhole) await afterParsing(request);
  // The rest of it would be taken for the next request.
  else headers.Connection = "close";
  // Bytes of a character that is cut off at the end are left out, all others that are no UTF-8 are replaced.
  return new TextDecoder().decode(kept, { stream: true }).replaceAll("\0", "\u2400");
}

async function readStart(
  body: NonNullable<Request["body"]>,
  cut: AbortSignal,
  onBytes: (count: number) => void,
): Promise<{ kept: Uint8Array; isWhole: boolean }> {
  const reader = body.getReader();
  cut.addEventListener("abort", () => reader.cancel().catch(() => {}));
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (size < keptPingBody) parts.push(part.value.subarray(0, keptPingBody - size));
    size += part.value.length;
    onBytes(part.value.length);
    if (size > largestPingBody) {
      await reader.cancel().catch(() => {});
      return { kept: Buffer.concat(parts), isWhole: false };
    }
  }
  cut.throwIfAborted();
  return { kept: Buffer.concat(parts), isWhole: true };
}
