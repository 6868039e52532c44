import { expect, test } from "bun:test";
import { createHostCheck } from "./host-check";

test("T37: a Host that is longer than any name is nobody's, also where every name is allowed", () => {
  const isOurs = createHostCheck(["http://holdfast.test"], ["*"]);
  const name = (length: number) =>
    "a."
      .repeat(length)
      .slice(0, length - 1)
      .concat("a");
  expect([isOurs(name(253)), isOurs(`${name(253)}:65535`), isOurs(name(260)), isOurs(name(200_000))]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
