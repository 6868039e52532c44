import { type Fault, quote, refuse, refuseAll, refuseField } from "@holdfast/api/conventions/api-error";
import { inspectJson, type JsonPath } from "@holdfast/api/conventions/inspect-json";
import { jsonPointer } from "@holdfast/api/conventions/json-pointer";
import { parseJson } from "@holdfast/api/conventions/parse-json";
import { unboundedFields } from "@holdfast/api/conventions/unbounded-fields";
import { z } from "zod";
import { afterParsing } from "./chunked";
import type { Exchange } from "./endpoint";
import { largestBody } from "./receive";

/** The JSON pointer to all of it. */
const wholeBody = jsonPointer([]);
const bodyLimits = { depth: 10, values: 20_000 };
const jsonTypes = /^application\/(json|api\.[^;,\s]+\+json)\s*(;|$)/i;

/** Reads the body of a request: one JSON object, which is checked against what was declared. */
export async function readBody<Body extends z.ZodObject>(
  exchange: Pick<Exchange, "request" | "place">,
  declared: Body,
  item?: z.ZodType,
): Promise<z.infer<Body>> {
  const { request } = exchange;
  const text = await readText(exchange);
  // Where nothing has to be said, nothing has to be sent.
  const unsent = text === "" && request.method === "POST" ? declared.safeParse({}) : undefined;
  if (unsent?.success) return unsent.data;
  if (!jsonTypes.test(request.headers.get("content-type") ?? "")) {
    throw refuse("bodyTypeUnsupported", "Send the body as JSON, with the header Content-Type: application/json.");
  }
  return checkBody(declared, readObject(text), item);
}

/** Reads the body of a request that has nothing to say. */
export async function readNoBody(exchange: Pick<Exchange, "request" | "place">): Promise<Record<string, never>> {
  const text = (await readText(exchange)).trim();
  if (text === "" || text === "{}") return {};
  throw refuseField("bodyInvalid", wholeBody, "This operation takes no body. Send none.");
}

/**
 * Checks a body: it has the fields that were declared and no others. What the item has besides cannot be sent, which is
 * another thing than that there is no such field.
 */
export function checkBody<Body extends z.ZodObject>(declared: Body, sent: object, item?: z.ZodType): z.infer<Body> {
  requireBounds(declared);
  const checked = declared.safeParse(sent);
  const unknown = Object.keys(sent).filter((key) => !Object.hasOwn(declared.shape, key));
  const issues: z.core.$ZodIssue[] = [...(checked.error?.issues ?? [])];
  if (unknown.length > 0) {
    issues.push({ code: "unrecognized_keys", keys: unknown, path: [], message: "", input: {} });
  }
  refuseAll(issues.flatMap((issue) => faultsOf(issue, sent, item)));
  if (!checked.success) throw checked.error;
  return checked.data;
}

const bounded = new WeakSet<z.ZodObject>();

/** A declaration that would let a text or a list of any length through is not used. */
function requireBounds(declared: z.ZodObject): void {
  if (bounded.has(declared)) return;
  const open = unboundedFields(declared);
  if (open.length > 0) {
    throw new Error(`A body has no bound on ${open.join(", ")}. Declare these with the functions of body-fields.ts.`);
  }
  bounded.add(declared);
}

async function readText({ request, place }: Pick<Exchange, "request" | "place">): Promise<string> {
  const { body } = request;
  if (!body) return "";
  const text = await place.whileArriving((cut, onBytes) => readAll(body, cut, onBytes));
  await afterParsing(request);
  return text;
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
    if (error instanceof TypeError) throw refuse("bodyMalformed", "The body has to be JSON in UTF-8.");
    throw error;
  }
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

function faultsOf(issue: z.core.$ZodIssue, sent: unknown, item: z.ZodType | undefined): Fault[] {
  const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) =>
      path.length === 0 && item instanceof z.ZodObject && Object.hasOwn(item.shape, key)
        ? fault([key], `The field ${quote(key)} cannot be set here. Leave it out.`)
        : fault([...path, key], `There is no field ${quote([...path, key].join("."))}. Leave it out.`),
    );
  }
  const need = valueAt(sent, path) === undefined ? "is missing. It has to be" : "has to be";
  return [fault(path, `The field ${quote(path.join("."))} ${need} ${expected(issue)}.`)];
}

function valueAt(sent: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    sent,
  );
}

function fault(path: JsonPath, message: string): Fault {
  return { name: "bodyInvalid", message, field: jsonPointer(path) };
}

function expected(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value") return `one of ${issue.values.map(String).join(", ")}`;
  if (issue.code === "invalid_type") return `${article[issue.expected] ?? issue.expected}`;
  return issue.message;
}

const article: Record<string, string> = {
  string: "a text",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  array: "a list",
  object: "an object",
};
