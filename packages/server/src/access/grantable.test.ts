import { expect, test } from "bun:test";
import { requireHeld } from "./grantable";

test("permissions that are held can be given, and none at all", () => {
  expect(() => requireHeld(new Set(["tasks:read", "users:read"]), ["users:read", "tasks:read"])).not.toThrow();
  expect(() => requireHeld(new Set(), [])).not.toThrow();
});

test("all that are not held are named", () => {
  const error_message =
    "You do not hold users:read, users:write in that organizational unit, so you can neither give nor take it.";
  expect(() => requireHeld(new Set(["tasks:read"]), ["tasks:read", "users:read", "users:write"])).toThrow(
    expect.objectContaining({ status: 403, body: { errors: [{ error_code: 40303, error_message }] } }),
  );
});
