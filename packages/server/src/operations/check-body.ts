import { type Fault, quote, refuseAll } from "@holdfast/api/conventions/api-error";
import type { JsonPath } from "@holdfast/api/conventions/inspect-json";
import { jsonPointer } from "@holdfast/api/conventions/json-pointer";
import { unboundedFields } from "@holdfast/api/conventions/unbounded-fields";
import { z } from "zod";

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
