import { expect } from "bun:test";
import { errorCatalogue } from "@holdfast/api/conventions/error-catalogue";
import { z } from "zod";
import { type Answered, unitHeaderName } from "../harness";

const envelope = z.strictObject({
  errors: z.array(z.strictObject({ error_code: z.int(), error_message: z.string().regex(/^[A-Z].*\.$/s) })).min(1),
});
const catalogued = Object.values(errorCatalogue).map(({ code }): number => code);

/** Holds an error to what all of them promise, and gives its codes. */
export function codesOf({ status, headers, body }: Answered): number[] {
  const { errors } = envelope.parse(body);
  expect(headers.get("content-type")).toBe("application/json");
  expectCommonHeaders(headers);
  for (const { error_code } of errors) {
    expect(Math.floor(error_code / 100)).toBe(status);
    expect(catalogued).toContain(error_code);
  }
  return errors.map(({ error_code }) => error_code);
}

/** What every answer of the API has. */
export function expectCommonHeaders(headers: Headers): void {
  expect(headers.get("vary")).toBe(`Accept, Authorization, ${unitHeaderName}`);
  expect(headers.get("cache-control")).toBe("private, no-cache");
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
}
