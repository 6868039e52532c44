import { expect, test } from "bun:test";
import { ApiError } from "@holdfast/api/conventions/api-error";
import { listField, textField } from "@holdfast/api/conventions/body-fields";
import { z } from "zod";
import { timeLimit } from "../../test/runs";
import { createAdmission } from "./admission";
import { readBody, readNoBody } from "./read-body";

const declared = z.object({
  name: textField(5).optional(),
  ids: listField(textField(5), 3).optional(),
  kind: z.enum(["a", "b"]).optional(),
});

const headers = { "Content-Type": "application/json" };
const send = (body: string) => {
  const slot = createAdmission().begin({ addressOf: () => "", kind: "other" });
  if (slot instanceof ApiError) throw slot;
  return { request: new Request("http://holdfast.test/", { method: "POST", headers, body }), slot };
};

/** Answer to a body: the fields that were read, or the first sentences of the refusal. */
async function read(body: string, schema: z.ZodObject = declared): Promise<unknown> {
  try {
    return await readBody(send(body), schema);
  } catch (error) {
    if (error instanceof ApiError) return [error.status, ...error.faults.slice(0, 2).map(({ message }) => message)];
    throw error;
  }
}

/** Time that the process has worked on something, in milliseconds, whatever else the machine has to do. */
async function workOf(act: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const largest = 1_048_576;
const many = (part: (at: number) => string, size: number) =>
  Array.from({ length: Math.floor(largest / size) - 9 }, (_, at) => part(at)).join();
const tooMany = [400, "The body has too many fields and elements. Send at most 20000."];
const tooDeep = [400, "The body is nested too deep. Use at most 10 levels."];

test("T37: a body that is declared without a bound is not read", async () => {
  const body = z.object({ name: z.string(), inner: z.object({ ids: z.array(textField(5)) }).optional() });
  await expect(read('{"name":"x"}', body)).rejects.toThrow("A body has no bound on name, inner.ids.");
});

test.each([
  ["lists in lists", "[".repeat(largest), tooDeep],
  ["objects in objects", '{"a":'.repeat(largest / 5), tooDeep],
  ["objects in nothing", "{".repeat(largest), tooDeep],
  ["unknown fields", `{${many((at) => `"f${String(at).padStart(6, "0")}":1`, 12)}}`, tooMany],
  ["one field over and over", `{${many(() => '"name":"x"', 11)}}`, tooMany],
  ["elements of a list", `{"ids":[${many(() => "1", 2)}]}`, tooMany],
  ["commas", `{${",".repeat(largest - 2)}}`, tooMany],
  ["one text", `{"name":"${"x".repeat(largest - 11)}"}`, [422, 'The field "name" has to be at most 5 characters.']],
  [
    "a name of a field",
    `{"${"x".repeat(largest - 6)}":1}`,
    [422, `There is no field "${"x".repeat(57)}...". Leave it out.`],
  ],
  ["quotes", '"'.repeat(largest), [400, "The body has to be one JSON object."]],
  ["backslashes", `{"name":"${"\\".repeat(largest - 11)}"}`, [400, "The body has to be one JSON object."]],
  ["white space", `{${" ".repeat(largest - 2)}}`, {}],
])("T37: the largest body of %s is dealt with at once", async (_what, body, answer) => {
  expect(body.length).toBeLessThanOrEqual(largest);
  expect(await read(body)).toEqual(answer);
  expect(await workOf(() => read(body))).toBeLessThan(timeLimit(1_000));
});

test("T37: as many faults as a body can have are dealt with at once, and the first are told", async () => {
  const unknown = `{${Array.from({ length: 19_999 }, (_, at) => `"f${at}":1`).join()}}`;
  const wrong = `{"ids":[${Array.from({ length: 19_998 }, () => "1").join()}]}`;
  expect(await read(unknown)).toEqual([
    422,
    ...["f0", "f1"].map((name) => `There is no field "${name}". Leave it out.`),
  ]);
  expect(await read(wrong)).toEqual([422, 'The field "ids" has to be a list of at most 3.']);
  expect(await workOf(() => read(unknown))).toBeLessThan(timeLimit(1_000));
  expect(await workOf(() => read(wrong))).toBeLessThan(timeLimit(1_000));
});

const withInner = declared.extend({ inner: z.strictObject({ number: z.int() }).array().max(3).optional() });

test.each([
  ['{"nom":"x"}', ["/nom"]],
  ['{"a/b~c":1,"":2}', ["/a~1b~0c", "/"]],
  ['{"name":"Adeline","kind":"c"}', ["/name", "/kind"]],
  ['{"ids":["1",2,"3"]}', ["/ids/1"]],
  ['{"inner":[{"number":1},{"number":"1","colour":"red"}]}', ["/inner/1/number", "/inner/1/colour"]],
  ['{"inner":[{}]}', ["/inner/0/number"]],
  ['{"name":"x","name":"y"}', ["/name"]],
  ['{"inner":[{"number":1},{"number":1,"number":2}]}', ["/inner/1/number"]],
])("the faults of %s name their fields", async (body, fields) => {
  const refused = await readBody(send(body), withInner).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ faults: fields.map((field) => ({ field })) });
});

test("a body where none is taken is a fault of all of it", async () => {
  const refused = await readNoBody(send('{"name":"x"}')).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    body: { errors: [{ error_code: 42201, error_message: "This operation takes no body. Send none.", field: "" }] },
  });
});

test("what is within all bounds is read", async () => {
  expect(await read('{"name":"Adele","ids":["1","2","3"],"kind":"a"}')).toEqual({
    name: "Adele",
    ids: ["1", "2", "3"],
    kind: "a",
  });
});
