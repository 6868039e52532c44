import { expect, test } from "bun:test";
import { errorMessage } from "./error-message";

test.each([
  ["an error", new TypeError("Send a number."), "Send a number."],
  ["a text", "Send a number.", "Send a number."],
  ["nothing", undefined, "undefined"],
  ["an object", { code: 1 }, "[object Object]"],
])("%s that was thrown has a message", (_what, thrown, message) => {
  expect(errorMessage(thrown)).toBe(message);
});
