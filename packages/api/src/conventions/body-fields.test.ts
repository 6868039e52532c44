import { expect, test } from "bun:test";
import { z } from "zod";
import { lineField, listField, passwordField, textField } from "./body-fields";

const messages = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues.map((one) => one.message);

test("a text, a line, a password and a list are as long as they say", () => {
  const [long, list] = ["x".repeat(100_000), Array(100_000).fill("x")];
  expect(messages(textField(5), "x".repeat(5))).toBeUndefined();
  expect(messages(textField(5), long)).toEqual(["at most 5 characters"]);
  expect(messages(lineField(5), "x".repeat(40))).toBeUndefined();
  expect(messages(lineField(5), long)).toEqual(["1 to 5 characters on one line"]);
  expect(messages(passwordField(), "x".repeat(2048))).toBeUndefined();
  expect(messages(passwordField(), long)).toEqual(["at most 1024 bytes long"]);
  expect(messages(listField(textField(5), 3), ["a", "b", "c"])).toBeUndefined();
  expect(messages(listField(textField(5), 3), list)).toEqual(["a list of at most 3"]);
});

test("T37: no other check looks at a text that is too long", () => {
  const looked: string[] = [];
  const field = textField(5).refine((text) => looked.push(text) > 0);
  expect(field.safeParse("x".repeat(6)).success).toBe(false);
  expect(field.safeParse("short").success).toBe(true);
  expect(looked).toEqual(["short"]);
});

test("the bounds are told in the description of the API", () => {
  expect(z.toJSONSchema(listField(textField(5), 3), { io: "input" })).toMatchObject({
    type: "array",
    maxItems: 3,
    items: { type: "string", maxLength: 5 },
  });
});
