import { expect } from "bun:test";
import { errorCatalogue } from "@holdfast/api/conventions/error-catalogue";
import { z } from "zod";
import type { Answered } from "./harness";

const codes = Object.values(errorCatalogue).map(({ code }) => code);

/** Errors that are always about one field or parameter. What nothing has the name of may be too long to repeat. */
const aboutOneField = (
  [
    "parameterRepeated",
    "parameterInvalid",
    "filterMalformed",
    "filterFieldUnknown",
    "filterOperatorUnknown",
    "filterValueInvalid",
    "filterTooLarge",
    "cursorInvalid",
    "headerRepeated",
    "unitMalformed",
    "keyMalformed",
    "bodyInvalid",
  ] as const
).map((name): number => errorCatalogue[name].code);
const mayNameNone = /^There (is no field|are \d+ more errors)/;

/** The one shape of all refusals. */
export const refusalEnvelope = z.strictObject({
  errors: z
    .array(
      z
        .strictObject({
          error_code: z.literal(codes),
          error_message: z.string().regex(/^[A-Z][^\n]*\.$/s),
          field: z.string().max(200).optional(),
        })
        .refine(
          ({ error_code, error_message, field }) =>
            field !== undefined || !aboutOneField.includes(error_code) || mayNameNone.test(error_message),
          "an error about one field that does not name it",
        ),
    )
    .min(1),
});

/** Internals that must never leave: SQL, stack frames, paths of modules, names of what it is built with. */
export const insides =
  /select .* from |insert into|sqlite|kysely|node_modules|\bat .*\(.*:\d+:\d+\)|\.ts:\d|packages\/|SyntaxError|TypeError/i;

/** Asserts that a refusal is the envelope and nothing else, with codes of its status, and that it tells nothing of the inside. */
export function expectRefusal({ status, headers, text, body }: Answered): void {
  expect(headers.get("content-type")).toBe("application/json");
  const { errors } = refusalEnvelope.parse(body);
  expect(errors.map(({ error_code }) => Math.floor(error_code / 100))).toEqual(errors.map(() => status));
  expect(text).not.toMatch(insides);
}

/** The codes of a refusal, or none where there is none. */
export function errorCodes({ body }: Answered): number[] {
  return refusalEnvelope.safeParse(body).data?.errors.map(({ error_code }) => error_code) ?? [];
}
