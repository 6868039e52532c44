import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ErrorCode, errorCodes } from "@holdfast/runner/error-codes";
import type { FaultCode } from "../packages/cli/src/demo/faults";

/** Does not compile when the demonstration has a code that the table lacks. */
const isInTable: FaultCode extends ErrorCode ? true : never = true;

test("every code of the demonstration and of the service is in the table", () => {
  expect(isInTable).toBe(true);
  const lifecycle = readFileSync(join(import.meta.dir, "../packages/server/src/resources/tasks/lifecycle.ts"), "utf8");
  const ofService = [...lifecycle.matchAll(/\bcode: "(\w+)"/g)].map(([, code = ""]) => code);
  expect(ofService.length).toBeGreaterThan(2);
  expect(ofService.filter((code) => !Object.hasOwn(errorCodes, code))).toEqual([]);
});

test("codes are words that a report may carry, and cause and remedy are whole sentences", () => {
  for (const [code, { cause, remedy, remedyFor = {} }] of Object.entries(errorCodes)) {
    expect(code).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
    for (const text of [cause, remedy, ...Object.values(remedyFor)])
      expect([code, text]).toEqual([code, expect.stringMatching(/^[A-Z].*\.$/)]);
  }
});
