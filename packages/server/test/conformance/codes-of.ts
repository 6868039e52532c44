import { expect } from "bun:test";
import { refusalEnvelope } from "../error-envelope";
import { type Answered, unitHeaderName } from "../harness";

/** Holds an error to what all of them promise, and gives its codes. */
export function codesOf({ status, headers, body }: Answered): number[] {
  const { errors } = refusalEnvelope.parse(body);
  expect(headers.get("content-type")).toBe("application/json");
  expectCommonHeaders(headers);
  for (const { error_code } of errors) {
    expect(Math.floor(error_code / 100)).toBe(status);
  }
  return errors.map(({ error_code }) => error_code);
}

/** Expects the headers of every answer of the API. */
export function expectCommonHeaders(headers: Headers): void {
  expect(headers.get("vary")).toBe(`Accept, Accept-Encoding, Authorization, ${unitHeaderName}`);
  expect(headers.get("cache-control")).toBe("private, no-cache");
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
}
