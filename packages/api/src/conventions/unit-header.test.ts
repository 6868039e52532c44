import { expect, test } from "bun:test";
import { unitHeader } from "./unit-header";

test("the header of the organizational unit carries the vendor's name", () => {
  expect(unitHeader("svc")).toBe("x-svc-organizationalunit-context");
  expect(unitHeader("acme")).toBe("x-acme-organizationalunit-context");
});
