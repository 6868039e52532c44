import { type ApiError, quote, refuse, refuseField } from "@holdfast/api/conventions/api-error";
import { inspectJson } from "@holdfast/api/conventions/inspect-json";
import { jsonPointer } from "@holdfast/api/conventions/json-pointer";
import { parseJson } from "@holdfast/api/conventions/parse-json";
import type { z } from "zod";
import { checkBody } from "../operations/check-body";
import { afterParsing } from "./chunked";
import type { Exchange } from "./endpoint";
import { largestBody } from "./receive";

/** The JSON pointer to all of it. */
const wholeBody = jsonPointer([]);
/** Up to so many bytes a body is read in one piece: its time does not depend on how fast it comes. */
const smallBody = 4_096;
const utf8 = new TextDecoder("utf-8", { fatal: true });
const bodyLimits = { depth: 10, values: 20_000 };
const jsonTypes = /^application\/(json|api\.[^;,\s]+\+json)\s*(;|$)/i;

/** Reads the body of a request: one JSON object, which is checked against what was declared. */
export async function readBody<Body extends z.ZodObject>(
  exchange: Pick<Exchange, "request" | "slot">,
  declared: Body,
  item?: z.ZodType,
  readLoosely?: (sent: object) => z.infer<Body>,
): Promise<z.infer<Body>> {
  const { request } = exchange;
  const text = await readText(exchange);
  // Where nothing has to be said, nothing has to be sent.
  const unsent = text === "" && request.method === "POST" ? declared.safeParse({}) : undefined;
  if (unsent?.success) return unsent.data;
  requireJson(request);
  const sent = readObject(text);
  return readLoosely ? readLoosely(sent) : checkBody(declared, sent, item);
}

/** Reads the body of a report: one JSON object, which its implementation checks. Nothing at all is an empty one. */
export async function readReport(
  exchange: Pick<Exchange, "request" | "slot">,
): Promise<{ sent: object; size: number }> {
  const text = await readText(exchange);
  if (text.trim() === "") return { sent: {}, size: 0 };
  requireJson(exchange.request);
  return { sent: readObject(text), size: text.length };
}

/** Reads the body of a request that has nothing to say. */
export async function readNoBody(exchange: Pick<Exchange, "request" | "slot">): Promise<Record<string, never>> {
  const text = (await readText(exchange)).trim();
  if (text === "" || text === "{}") return {};
  throw refuseField("bodyInvalid", wholeBody, "This operation takes no body. Send none.");
}

function requireJson({ headers }: Request): void {
  if (jsonTypes.test(headers.get("content-type") ?? "")) return;
  throw refuse("bodyTypeUnsupported", "Send the body as JSON, with the header Content-Type: application/json.");
}

async function readText({ request, slot }: Pick<Exchange, "request" | "slot">): Promise<string> {
  if (isSmall(request)) return slot.whileArriving((cut) => readWhole(request, cut));
  const { body } = request;
  if (!body) return "";
  const text = await slot.whileArriving((cut, onBytes) => readAll(body, cut, onBytes));
  await afterParsing(request);
  return text;
}

function isSmall({ headers }: Request): boolean {
  const announced = headers.get("content-length");
  return announced !== null && Number(announced) <= smallBody;
}

/** Reads a body of which the runtime keeps as much as was announced, in a fraction of the time that a stream takes. */
async function readWhole(request: Request, cut: AbortSignal): Promise<string> {
  const isCut = Promise.withResolvers<never>();
  cut.addEventListener("abort", () => isCut.reject(cut.reason));
  const bytes = await Promise.race([request.bytes(), isCut.promise]);
  try {
    return utf8.decode(bytes);
  } catch {
    throw notUtf8();
  }
}

/** Reads no more than is allowed, whatever length was announced, and no longer than until it is cut. */
async function readAll(
  body: NonNullable<Request["body"]>,
  cut: AbortSignal,
  onBytes: (count: number) => void,
): Promise<string> {
  const reader = body.getReader();
  cut.addEventListener("abort", () => reader.cancel().catch(() => {}));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length;
      onBytes(part.value.length);
      if (size > largestBody) throw refuse("bodyTooLarge", `Send a body of at most ${largestBody} bytes.`);
      text += decoder.decode(part.value, { stream: true });
    }
    cut.throwIfAborted();
    return text + decoder.decode();
  } catch (error) {
    await reader.cancel().catch(() => {});
    if (error instanceof TypeError) throw notUtf8();
    throw error;
  }
}

function notUtf8(): ApiError {
  return refuse("bodyMalformed", "The body has to be JSON in UTF-8.");
}

function readObject(text: string): object {
  const { depth, values, duplicatePath } = inspectJson(text, bodyLimits);
  if (depth > bodyLimits.depth) {
    throw refuse("bodyMalformed", `The body is nested too deep. Use at most ${bodyLimits.depth} levels.`);
  }
  if (values > bodyLimits.values) {
    throw refuse("bodyMalformed", `The body has too many fields and elements. Send at most ${bodyLimits.values}.`);
  }
  if (duplicatePath !== undefined) {
    const message = `The body has the field ${quote(duplicatePath.join("."))} twice. Send it once.`;
    throw refuseField("bodyMalformed", jsonPointer(duplicatePath), message);
  }
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refuse("bodyMalformed", "The body has to be one JSON object.");
  }
  return value;
}
