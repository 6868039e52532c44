import { expect, test } from "bun:test";
import { z } from "zod";
import { resources } from "../resources/index";
import { sessionPaths } from "../session/session-paths";
import { lineField, listField, passwordField, textField } from "./body-fields";
import { bodyOf } from "./operation";
import { unboundedFields } from "./unbounded-fields";

const operations = resources.flatMap(({ versions }) => versions.flatMap((version) => version.operations));
const bodies = [
  ...operations.map((operation) => ({ id: operation.id, body: bodyOf(operation) })),
  ...sessionPaths,
].flatMap(({ id, body }): [string, z.ZodObject][] => (body ? [[id, body]] : []));

test.each(bodies)("T37: every text and every list that %s takes has a bound", (_id, body) => {
  expect(unboundedFields(body)).toEqual([]);
});

test("T37: fields that are made for bodies are bounded, wherever they stand", () => {
  const body = z.object({
    text: textField(5),
    line: lineField(5).optional(),
    password: passwordField().nullable(),
    list: listField(z.strictObject({ word: z.enum(["a", "b"]), texts: listField(textField(5), 3) }), 3),
    either: z.union([textField(5), z.int(), z.literal("all")]),
    named: z.record(textField(5), z.boolean()),
    flag: z.boolean().default(true),
  });
  expect(unboundedFields(body)).toEqual([]);
});

test.each([
  ["a text", z.string(), ["field"]],
  ["a text that may be left out", z.string().optional(), ["field"]],
  ["a text that may be null", z.string().nullable(), ["field"]],
  ["a text with a shape", z.string().regex(/^a+$/), ["field"]],
  ["a text that is made into something else", z.string().transform(Number), ["field"]],
  ["a list", z.array(z.boolean()), ["field"]],
  ["a list of texts", z.array(z.string()), ["field", "field[]"]],
  ["a text in an object in a list", listField(z.object({ name: z.string() }), 5), ["field[].name"]],
  ["one of two texts", z.union([textField(5), z.string()]), ["field"]],
  ["fields of any name", z.record(z.string(), z.boolean()), ["field.*"]],
  ["an object with anything in it", z.looseObject({}), ["field.*"]],
  ["anything", z.unknown(), ["field"]],
])("T37: without a bound, %s is found", (_what, field, found) => {
  expect(unboundedFields(z.object({ field }))).toEqual(found);
});
